package dev.keelson.http.stream;

import dev.keelson.http.Body;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;

/**
 * A command that could not be begun: the client, whose WebSocket is open by then, gets the error on
 * the error channel (source: {@code StreamTranslatorHandler}).
 *
 * @param status the Status as JSON
 */
public record RefusedStreams(Buffer status) implements Body.Upgraded {

  @Override
  public void take(NetSocket client) {
    Sockets.finish(
        client,
        WebSocketFrames.binary(Channels.ERROR, status)
            .appendBuffer(WebSocketFrames.close(WebSocketFrames.NORMAL)));
  }

  @Override
  public void abandon() {
    // nothing is held
  }
}
