package dev.keelson.http.stream;

import dev.keelson.api.ApiException;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.http.Body;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.Locale;

/**
 * A command that this server answers itself over a WebSocket: an output, then the status on the
 * error channel. A command that could not be begun has a status alone (source: {@code
 * StreamTranslatorHandler}).
 */
public final class AnsweredCommand implements Body.Upgraded {

  private static final String SPDY = "SPDY/3.1";
  private static final String VERSION = "X-Stream-Protocol-Version";

  /** Those with a Status on the error channel, the best first. */
  private static final List<String> PROTOCOLS =
      List.of(TranslatedStreams.PROTOCOL, "v4.channel.k8s.io");

  private final Buffer output;
  private final Buffer status;

  /**
   * @param output what the command prints; may be empty
   * @param status the Status as JSON
   */
  public AnsweredCommand(Buffer output, Buffer status) {
    this.output = output;
    this.status = status;
  }

  /**
   * Answers in the client's protocol, WebSocket or SPDY.
   *
   * @param channels those that the client asks for
   * @param output what the command prints
   * @param status its Status as JSON
   * @throws ApiException BadRequest if the client offers none of the protocols with a status
   */
  public static ApiResponse answer(
      ApiRequest request, Channels channels, byte[] output, byte[] status) {
    Buffer printed = Buffer.buffer(channels.stdout() ? printed(channels, output) : new byte[0]);
    Buffer end = Buffer.buffer(status);
    if (request.header("upgrade").equalsIgnoreCase("websocket")) {
      WebSocketHandshake.check(request);
      return WebSocketHandshake.accepted(
          request, chosen(WebSocketHandshake.offered(request)), new AnsweredCommand(printed, end));
    }
    if (!request.header("upgrade").equalsIgnoreCase(SPDY)) {
      throw ApiException.badRequest("unable to upgrade: missing upgrade headers in request");
    }
    return new ApiResponse(
        101,
        List.of(
            new Header("Upgrade", SPDY),
            new Header("Connection", "Upgrade"),
            new Header(VERSION, chosen(request.headerValues(VERSION.toLowerCase(Locale.ROOT))))),
        new AnsweredSpdyCommand(channels, printed, end));
  }

  private static String chosen(List<String> offered) {
    return PROTOCOLS.stream()
        .filter(offered::contains)
        .findFirst()
        .orElseThrow(
            () ->
                ApiException.badRequest(
                    "unable to upgrade: none of the offered protocols is supported: "
                        + String.join(", ", offered)
                        + "; supported: "
                        + String.join(", ", PROTOCOLS)));
  }

  /** What a terminal gets has carriage returns. */
  private static byte[] printed(Channels channels, byte[] output) {
    if (!channels.tty()) {
      return output;
    }
    Buffer raw = Buffer.buffer(output.length + 16);
    for (byte each : output) {
      if (each == '\n') {
        raw.appendByte((byte) '\r');
      }
      raw.appendByte(each);
    }
    return raw.getBytes();
  }

  @Override
  public void take(NetSocket client) {
    Buffer all = Buffer.buffer();
    if (output.length() > 0) {
      all.appendBuffer(WebSocketFrames.binary(Channels.STDOUT, output));
    }
    Sockets.finish(
        client,
        all.appendBuffer(WebSocketFrames.binary(Channels.ERROR, status))
            .appendBuffer(WebSocketFrames.close(WebSocketFrames.NORMAL)));
  }

  @Override
  public void abandon() {
    // nothing is held
  }
}
