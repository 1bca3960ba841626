package dev.keelson.authn;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Finds a bearer token among the subprotocols of a WebSocket handshake. */
final class WebSocketToken {

  private WebSocketToken() {}

  /**
   * Returns the token; empty if the request is not a WebSocket handshake, no subprotocol carries a
   * token, it is the only subprotocol (the server must select another one), or several carry a
   * token.
   */
  static Optional<String> of(List<String> upgrade, List<String> protocols, String prefix) {
    if (protocols.isEmpty() || upgrade.stream().noneMatch("websocket"::equalsIgnoreCase)) {
      return Optional.empty();
    }
    String found = "";
    boolean others = false;
    for (String line : protocols) {
      for (String part : line.split(",", -1)) {
        String protocol = part.strip();
        if (!protocol.startsWith(prefix)) {
          others |= !protocol.isEmpty();
        } else if (found.isEmpty()) {
          found = protocol.substring(prefix.length());
        } else {
          return Optional.empty();
        }
      }
    }
    return found.isEmpty() || !others ? Optional.empty() : decoded(found);
  }

  private static Optional<String> decoded(String base64) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(base64);
      String token = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      return token.isBlank() ? Optional.empty() : Optional.of(token);
    } catch (IllegalArgumentException | CharacterCodingException e) {
      // not a token: the request has no credentials, as in kube-apiserver
      return Optional.empty();
    }
  }
}
