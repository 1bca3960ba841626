package dev.keelson.http.connection;

import io.vertx.core.MultiMap;
import java.util.Arrays;

/**
 * Selects the subprotocol of a WebSocket: the first one that is not a bearer token. Browsers close
 * the connection if the server selects none of those that they offered; the token is never
 * selected.
 */
final class WebSocketSubprotocol {

  private static final String HEADER = "Sec-WebSocket-Protocol";

  /** The prefix of the subprotocol that carries a bearer token. */
  private static final String TOKEN = "base64url.bearer.authorization.k8s.io.";

  private WebSocketSubprotocol() {}

  /**
   * Replaces the offered subprotocols in the headers of a handshake by the selected one, or none.
   */
  static void choose(MultiMap headers) {
    String chosen =
        headers.getAll(HEADER).stream()
            .flatMap(line -> Arrays.stream(line.split(",", -1)))
            .map(String::strip)
            .filter(protocol -> !protocol.isEmpty() && !protocol.startsWith(TOKEN))
            .findFirst()
            .orElse("");
    if (chosen.isEmpty()) {
      headers.remove(HEADER);
    } else {
      headers.set(HEADER, chosen);
    }
  }
}
