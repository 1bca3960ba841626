package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import dev.keelson.testing.WhoAmI;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that keep TLS busy instead of sending requests. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(120)
class TlsAttackIT {

  private static final int PATIENCE_MILLIS = 20_000;

  private KeelsonProcess server;

  @BeforeAll
  void start(@TempDir Path directory) {
    server = KeelsonProcess.start(directory, List.of("--authorization-mode=RBAC"));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  private SSLSocket connect(SSLContext context, String version) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(server.address().getHost(), server.address().getPort());
    socket.setEnabledProtocols(new String[] {version});
    socket.setSoTimeout(PATIENCE_MILLIS);
    socket.startHandshake();
    assertThat(socket.getSession().getProtocol()).isEqualTo(version);
    return socket;
  }

  /** Asks for a document; returns the status. */
  private static int ask(Socket socket) throws IOException {
    socket
        .getOutputStream()
        .write("HEAD /healthz HTTP/1.1\r\nHost: k\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new IOException("the connection ended after: " + head);
      }
      head.append((char) next);
    }
    return Integer.parseInt(head.substring(9, 12));
  }

  /** As Go's crypto/tls, which never does it on a server. */
  @Test
  void renegotiation_thatAClientBegins_endsTheConnection() throws Exception {
    try (SSLSocket socket = connect(server.kubeconfig().asNobody(), "TLSv1.2")) {
      assertThat(ask(socket)).isEqualTo(200);

      assertThatThrownBy(
              () -> {
                socket.startHandshake();
                int unused = ask(socket);
              })
          .isInstanceOf(IOException.class);
    }
    assertThat(RestClient.nobody(server).get("/healthz").statusCode()).isEqualTo(200);
  }

  @Test
  void keyUpdates_besideRequests_areDone() throws Exception {
    try (SSLSocket socket = connect(server.kubeconfig().asNobody(), "TLSv1.3")) {
      for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 10; i++) {
          socket.startHandshake();
        }
        assertThat(ask(socket)).isEqualTo(200);
      }
    }
  }

  @Test
  void keyUpdates_withoutEnd_endTheConnection() throws Exception {
    try (SSLSocket socket = connect(server.kubeconfig().asNobody(), "TLSv1.3")) {
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 1_000_000; i++) {
                  socket.startHandshake();
                }
              })
          .isInstanceOf(IOException.class);
    }
  }

  /** The identity of a resumed session is that of its client, and nobody else's. */
  @Test
  void sessions_areResumedByTheirOwnUser() throws Exception {
    SSLContext user = server.kubeconfig().asUser();
    SSLContext nobody = server.kubeconfig().asNobody();
    long opened;
    try (SSLSocket socket = connect(user, "TLSv1.3")) {
      assertThat(ask(socket)).isEqualTo(200);
      opened = socket.getSession().getCreationTime();
    }
    int resumed = 0;
    for (int i = 0; i < 50; i++) {
      try (SSLSocket socket = connect(user, "TLSv1.3")) {
        assertThat(ask(socket)).isEqualTo(200);
        resumed += socket.getSession().getCreationTime() == opened ? 1 : 0;
      }
    }

    assertThat(resumed).isPositive();
    assertThat(new WhoAmI(server.address(), user).ask().groups()).contains("system:masters");
    assertThat(new WhoAmI(server.address(), user).ask().groups()).contains("system:masters");
    assertThat(new WhoAmI(server.address(), nobody).ask().status()).isEqualTo(403);
  }
}
