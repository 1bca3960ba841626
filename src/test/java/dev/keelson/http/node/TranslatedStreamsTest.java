package dev.keelson.http.node;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.RawConnection;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import io.vertx.core.net.SelfSignedCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Exec by WebSocket with kubelets that misbehave, which speak SPDY byte by byte. */
@Timeout(60)
class TranslatedStreamsTest {

  private static final String EXEC =
      "/api/v1/namespaces/default/pods/p/exec?command=a&stdin=true&stdout=true";

  private static final String SWITCHED =
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n"
          + "X-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\n";

  private final SelfSignedCertificate certificate = SelfSignedCertificate.create("127.0.0.1");
  private final NodeFront front = new NodeFront(() -> KubeletIdentity.NONE, Duration.ofSeconds(1));
  private final AtomicReference<String> asked = new AtomicReference<>("");
  private final AtomicReference<Consumer<NetSocket>> kubelet = new AtomicReference<>(socket -> {});

  @BeforeEach
  void start() {
    front.node(
        NodeFront.await(
                front
                    .vertx
                    .createNetServer(
                        new NetServerOptions()
                            .setSsl(true)
                            .setKeyCertOptions(certificate.keyCertOptions()))
                    .connectHandler(this::connected)
                    .listen(0, "127.0.0.1"))
            .actualPort());
  }

  private void connected(NetSocket socket) {
    socket.handler(
        head -> {
          asked.set(head.toString());
          // the streams that are opened
          socket.handler(frames -> {});
          kubelet.get().accept(socket);
        });
  }

  @AfterEach
  void stop() {
    front.close();
    certificate.delete();
  }

  private RawConnection exec(String protocols, String version) throws IOException {
    RawConnection connection = RawConnection.plain(front.uri);
    connection
        .out()
        .write(
            ("GET "
                    + EXEC
                    + " HTTP/1.1\r\nHost: front\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: "
                    + version
                    + "\r\nSec-WebSocket-Protocol: "
                    + protocols
                    + "\r\nAuthorization: Bearer secret\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII));
    return connection;
  }

  private static String head(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      assertThat(next).as(head.toString()).isNotNegative();
      head.append((char) next);
    }
    return head.toString();
  }

  /** The next message: its channel and its text, or the code of the close frame. */
  private static String message(InputStream in) throws IOException {
    int first = in.read();
    int length = in.read();
    if (length == 126) {
      length = in.read() << 8 | in.read();
    }
    byte[] payload = in.readNBytes(length);
    if (first == 0x88) {
      return "close " + ((payload[0] & 0xff) << 8 | (payload[1] & 0xff));
    }
    assertThat(first).isEqualTo(0x82);
    return payload[0] + " " + new String(payload, 1, length - 1, StandardCharsets.UTF_8);
  }

  private static Buffer data(int stream, boolean last, String text) {
    return Buffer.buffer()
        .appendInt(stream)
        .appendInt((last ? 0x01000000 : 0) | text.length())
        .appendString(text);
  }

  private static void send(NetSocket socket, Buffer bytes) {
    var unused = socket.write(bytes);
  }

  /** Opens a session; every answer of the kubelet begins with the switch. */
  private String told(Consumer<NetSocket> after) throws IOException {
    kubelet.set(after);
    try (RawConnection connection = exec("v5.channel.k8s.io, v4.channel.k8s.io", "13")) {
      assertThat(head(connection.in()))
          .startsWith("HTTP/1.1 101 ")
          .containsIgnoringCase("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n")
          .containsIgnoringCase("Sec-WebSocket-Protocol: v5.channel.k8s.io\r\n");
      StringBuilder all = new StringBuilder();
      String next = message(connection.in());
      while (!next.startsWith("close ")) {
        all.append(next).append('\n');
        next = message(connection.in());
      }
      assertThat(connection.in().read()).isEqualTo(-1);
      return all.append(next).toString();
    }
  }

  @Test
  void output_comesBeforeTheStatus_inWhateverOrderTheKubeletSendsThem() throws IOException {
    String told =
        told(
            socket ->
                send(
                    socket,
                    Buffer.buffer(SWITCHED)
                        .appendBuffer(data(1, true, "{\"status\":\"Failure\"}"))
                        .appendBuffer(data(5, false, "out"))
                        .appendBuffer(data(5, true, ""))));

    assertThat(told).isEqualTo("1 out\n3 {\"status\":\"Failure\"}\nclose 1000");
    assertThat(asked.get())
        .startsWith("POST /exec/default/p/c?command=a&input=1&output=1 HTTP/1.1\r\n")
        .contains("X-Stream-Protocol-Version: v5.channel.k8s.io\r\n")
        .contains("X-Stream-Protocol-Version: v4.channel.k8s.io\r\n")
        .doesNotContain("secret", "Sec-WebSocket");
    assertThat(front.counted).containsExactly("exec false");
  }

  @Test
  void endWithoutAStatus_isASuccess_butABrokenConnectionIsNot() throws IOException {
    assertThat(
            told(
                socket ->
                    send(
                        socket,
                        Buffer.buffer(SWITCHED)
                            .appendBuffer(data(5, true, "out"))
                            .appendBuffer(data(1, true, "")))))
        .isEqualTo("1 out\n3 {\"metadata\":{},\"status\":\"Success\"}\nclose 1000");
    assertThat(
            told(
                socket -> {
                  var unused =
                      socket.end(Buffer.buffer(SWITCHED).appendBuffer(data(5, false, "out")));
                }))
        .startsWith("1 out\n3 {\"metadata\":{},\"status\":\"Failure\",\"message\":\"Internal error")
        .contains("the connection to the kubelet broke")
        .endsWith("close 1000");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no such container|\"message\":\"Internal error occurred: unable to upgrade connection: no"
            + " such container\",\"reason\":\"InternalError\"",
        "{\"kind\":\"Status\",\"message\":\"m\"}|3 {\"kind\":\"Status\",\"message\":\"m\"}",
        "{\"kind\":7}|unable to upgrade connection: {\\\"kind\\\":7}",
      })
  void refusalOfTheKubelet_isToldOnTheErrorChannel(String body, String expected)
      throws IOException {
    assertThat(
            told(
                socket ->
                    send(
                        socket,
                        Buffer.buffer(
                            "HTTP/1.1 404 Not Found\r\nContent-Length: "
                                + body.length()
                                + "\r\n\r\n"
                                + body))))
        .contains(expected);
  }

  @Test
  void unreachableKubelet_isToldOnTheErrorChannel() throws IOException {
    front.node(1);

    assertThat(told(socket -> {}))
        .contains(
            "Internal error occurred: error sending request: Post"
                + " \\\"https://127.0.0.1:1/exec/default/p/c?command=a\\u0026input=1\\u0026output=1\\\":"
                + " dial tcp 127.0.0.1:1: connect: connection refused");
  }

  @Test
  void handshakeOfAnotherVersion_isRefused() throws IOException {
    try (RawConnection connection = exec("v5.channel.k8s.io", "8")) {
      assertThat(head(connection.in())).startsWith("HTTP/1.1 400 ");
    }
    assertThat(asked).hasValue("");
  }

  @Test
  void framesWithoutAMask_endTheConnection() throws IOException {
    kubelet.set(socket -> send(socket, Buffer.buffer(SWITCHED)));
    try (RawConnection connection = exec("v5.channel.k8s.io", "13")) {
      assertThat(head(connection.in())).startsWith("HTTP/1.1 101 ");
      connection.out().write(new byte[] {(byte) 0x82, 1, 0});
      assertThat(message(connection.in())).isEqualTo("close 1002");
    }
  }

  @Test
  void kubeletThatSendsMore_thanTheClientReads_waits() throws Exception {
    AtomicLong sent = new AtomicLong();
    Buffer part = Buffer.buffer().appendInt(5).appendInt(60_000).appendBytes(new byte[60_000]);
    kubelet.set(
        socket -> {
          send(socket, Buffer.buffer(SWITCHED));
          fill(socket, part, sent);
        });
    try (RawConnection connection = exec("v5.channel.k8s.io", "13")) {
      assertThat(head(connection.in())).startsWith("HTTP/1.1 101 ");
      long stuck = stuckAt(sent);
      // the buffers of four sockets, not what a kubelet could send in that time
      assertThat(stuck).isLessThan(60_000_000);
      byte[] drained = connection.in().readNBytes(10_000_000);
      assertThat(drained).hasSize(10_000_000);
      assertEventually(() -> assertThat(sent.get()).isGreaterThan(stuck));
    }
  }

  private static void fill(NetSocket socket, Buffer part, AtomicLong sent) {
    while (!socket.writeQueueFull()) {
      if (socket.write(part).failed()) {
        // a closed socket takes no bytes, and its queue is never full
        return;
      }
      sent.addAndGet(part.length());
    }
    var unused = socket.drainHandler(drained -> fill(socket, part, sent));
  }

  /** A number that has stopped to grow for a second. */
  private static long stuckAt(AtomicLong number) {
    AtomicLong last = new AtomicLong(-1);
    AtomicLong since = new AtomicLong(System.nanoTime());
    assertEventually(
        () -> {
          if (last.getAndSet(number.get()) != number.get()) {
            since.set(System.nanoTime());
          }
          assertThat(System.nanoTime() - since.get()).isGreaterThan(1_000_000_000L);
        });
    return number.get();
  }

  @Test
  void clientThatSendsMore_thanTheKubeletReads_waits() throws Exception {
    AtomicReference<NetSocket> stalled = new AtomicReference<>();
    kubelet.set(
        socket -> {
          send(socket, Buffer.buffer(SWITCHED));
          stalled.set(socket.pause());
        });
    AtomicLong sent = new AtomicLong();
    try (RawConnection connection = exec("v5.channel.k8s.io", "13")) {
      assertThat(head(connection.in())).startsWith("HTTP/1.1 101 ");
      // a frame of 1 GiB, masked by zeros
      connection
          .out()
          .write(new byte[] {(byte) 0x82, (byte) 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0});
      Thread writer =
          Thread.ofPlatform()
              .start(
                  () -> {
                    byte[] part = new byte[60_000];
                    try {
                      while (sent.get() < 900_000_000) {
                        connection.out().write(part);
                        sent.addAndGet(part.length);
                      }
                    } catch (IOException e) {
                      // the test has ended
                    }
                  });
      long stuck = stuckAt(sent);
      assertThat(stuck).isPositive().isLessThan(60_000_000);
      var unused = stalled.get().handler(bytes -> {}).resume();
      assertEventually(() -> assertThat(sent.get()).isGreaterThan(stuck + 10_000_000));
      connection.close();
      writer.join();
    }
  }
}
