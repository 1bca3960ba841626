package dev.keelson.blackbox.attack;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.net.ssl.SSLSocket;

/** Hostile clients that keep TLS busy. */
final class TlsAttacks {

  private static final String HEALTH = "GET /healthz HTTP/1.1\r\nHost: k\r\n\r\n";

  private static final String LAST = HEALTH.replace("Host: k", "Host: k\r\nConnection: close");

  private TlsAttacks() {}

  static List<Attack> all() {
    return List.of(
        new Attack("tiny records", "10 requests in records of a byte", TlsAttacks::tinyRecords),
        new Attack("handshakes", "200, and then nothing", TlsAttacks::handshakes),
        new Attack("resumed sessions", "200 with the ticket of one", TlsAttacks::resumed),
        new Attack("renegotiation", "20 connections of TLS 1.2", TlsAttacks::renegotiations),
        new Attack("key updates", "20 connections, 100,000 each", TlsAttacks::keyUpdates));
  }

  private static void tinyRecords(Target target) throws IOException {
    for (int i = 0; i < target.times(10); i++) {
      SSLSocket stranger = target.stranger();
      String text =
          "GET /healthz HTTP/1.1\r\nHost: k\r\nX: "
              + "x".repeat(1_000)
              + "\r\nConnection: close\r\n";
      for (int at = 0; at < text.length(); at++) {
        stranger.getOutputStream().write(text.charAt(at));
        stranger.getOutputStream().flush();
      }
    }
  }

  private static void handshakes(Target target) throws IOException {
    for (int i = 0; i < target.times(200); i++) {
      SSLSocket unused = target.stranger();
    }
  }

  /** The context of the user keeps the sessions of its connections. */
  private static void resumed(Target target) throws IOException {
    for (int i = 0; i < target.times(200); i++) {
      try (SSLSocket user = target.user()) {
        int status = Target.ask(user, HEALTH);
        if (status != 200) {
          throw new IllegalStateException("a resumed session is answered with " + status);
        }
      }
    }
  }

  private static void renegotiations(Target target) throws IOException {
    for (int i = 0; i < target.times(20); i++) {
      SSLSocket stranger = target.oldTls();
      int status = Target.ask(stranger, HEALTH);
      if (status != 200) {
        throw new IllegalStateException("TLS 1.2 is answered with " + status);
      }
      if (!ends(
          () -> {
            stranger.startHandshake();
            Target.send(stranger, LAST);
            // behind the rest of the first response
            if (!text(stranger).contains("HTTP/1.1")) {
              throw new EOFException();
            }
          })) {
        throw new IllegalStateException("TLS 1.2 was renegotiated");
      }
    }
  }

  private static void keyUpdates(Target target) throws IOException {
    for (int i = 0; i < target.times(20); i++) {
      SSLSocket stranger = target.stranger();
      if (!ends(
          () -> {
            for (int update = 0; update < 100_000; update++) {
              stranger.startHandshake();
            }
          })) {
        throw new IllegalStateException("100,000 key updates were taken");
      }
    }
  }

  private static String text(SSLSocket socket) throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
  }

  private interface Sending {
    void send() throws IOException;
  }

  /** Whether the server ends the connection meanwhile. */
  private static boolean ends(Sending sending) {
    try {
      sending.send();
      return false;
    } catch (IOException ended) {
      return true;
    }
  }
}
