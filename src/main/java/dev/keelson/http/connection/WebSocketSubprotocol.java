package dev.keelson.http.connection;

import io.vertx.core.MultiMap;
import java.util.Arrays;

/**
 * The subprotocol of a WebSocket: the first that the client names beside its token. It is answered,
 * because browsers break off where none of those that they named is; the token never is.
 */
final class WebSocketSubprotocol {

  private static final String HEADER = "Sec-WebSocket-Protocol";

  /** Every subprotocol that carries something of its own to a Kubernetes server begins so. */
  private static final String TOKEN = "base64url.bearer.authorization.k8s.io.";

  private WebSocketSubprotocol() {}

  /** Leaves the one that is to be answered in the headers of a handshake, or none. */
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
