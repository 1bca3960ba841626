package dev.keelson.authn;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bearer token among the subprotocols of a WebSocket handshake (source: apiserver, {@code
 * authentication/request/websocket/protocol.go}).
 *
 * @param token the token, or empty
 * @param problem why the subprotocols carry no valid token, or empty; such a request is not
 *     anonymous
 */
record WebSocketToken(String token, String problem) {

  /** No token. */
  static final WebSocketToken NONE = new WebSocketToken("", "");

  /**
   * Reads the token.
   *
   * @param upgrade the values of the Upgrade header
   * @param protocols the values of the Sec-WebSocket-Protocol header
   * @param prefix the beginning of the subprotocol with the token
   */
  static WebSocketToken of(List<String> upgrade, List<String> protocols, String prefix) {
    if (protocols.isEmpty() || upgrade.stream().noneMatch("websocket"::equalsIgnoreCase)) {
      return NONE;
    }
    @Nullable WebSocketToken found = null;
    boolean others = false;
    for (String line : protocols) {
      for (String part : line.split(",", -1)) {
        String protocol = part.strip();
        if (!protocol.startsWith(prefix)) {
          others = true;
        } else if (found != null) {
          return invalid("multiple base64.bearer.authorization tokens specified");
        } else {
          found = decoded(protocol.substring(prefix.length()));
          if (!found.problem.isEmpty()) {
            return found;
          }
        }
      }
    }
    if (found != null && !found.token.isEmpty() && !others) {
      return invalid("missing additional subprotocol");
    }
    return found == null ? NONE : found;
  }

  private static WebSocketToken decoded(String base64) {
    try {
      if (base64.indexOf('=') >= 0) {
        return invalid("invalid base64.bearer.authorization token encoding");
      }
      byte[] bytes = Base64.getUrlDecoder().decode(base64);
      return new WebSocketToken(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString(), "");
    } catch (IllegalArgumentException e) {
      return invalid("invalid base64.bearer.authorization token encoding");
    } catch (CharacterCodingException e) {
      return invalid("invalid base64.bearer.authorization token");
    }
  }

  private static WebSocketToken invalid(String problem) {
    return new WebSocketToken("", problem);
  }
}
