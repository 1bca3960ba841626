package dev.keelson.http.stream;

import dev.keelson.api.ApiException;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.http.Body;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** The opening of a WebSocket whose server is this one (RFC 6455, section 4.2). */
public final class WebSocketHandshake {

  private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

  private WebSocketHandshake() {}

  /**
   * The subprotocols that the client offers, in its order; none if it does not ask for WebSocket.
   */
  public static List<String> offered(ApiRequest request) {
    if (!request.header("upgrade").equalsIgnoreCase("websocket")) {
      return List.of();
    }
    return request.headerValues("sec-websocket-protocol").stream()
        .flatMap(line -> Arrays.stream(line.split(",", -1)))
        .map(String::strip)
        .toList();
  }

  /**
   * Accepts the connection.
   *
   * @param protocol the subprotocol, one of those offered
   * @param streams takes the connection
   * @throws ApiException BadRequest if the request is none of this version
   */
  public static ApiResponse accepted(ApiRequest request, String protocol, Body.Upgraded streams) {
    return new ApiResponse(
        101,
        List.of(
            new Header("Upgrade", "websocket"),
            new Header("Connection", "Upgrade"),
            new Header("Sec-WebSocket-Accept", accept(request.header("sec-websocket-key"))),
            new Header("Sec-WebSocket-Protocol", protocol)),
        streams);
  }

  /**
   * Checks what a WebSocket needs before anything is connected to.
   *
   * @throws ApiException BadRequest if the request is none of this version
   */
  public static void check(ApiRequest request) {
    if (!request.method().equals("GET")
        || request.header("sec-websocket-key").isEmpty()
        || !request.header("sec-websocket-version").equals("13")) {
      throw ApiException.badRequest("the WebSocket handshake is not valid");
    }
  }

  private static String accept(String key) {
    try {
      // the protocol's checksum; nothing depends on its strength
      byte[] sum =
          MessageDigest.getInstance("SHA-1")
              .digest((key.strip() + GUID).getBytes(StandardCharsets.ISO_8859_1));
      return Base64.getEncoder().encodeToString(sum);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-1 is missing", e);
    }
  }
}
