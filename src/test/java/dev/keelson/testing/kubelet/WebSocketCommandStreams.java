package dev.keelson.testing.kubelet;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import java.util.Arrays;

/** Channels of a WebSocket by their first byte. */
record WebSocketCommandStreams(ServerWebSocket socket) implements CommandStreams {

  private static final int CLOSE = 255;

  void begin(Input input) {
    socket.binaryMessageHandler(
        message -> {
          byte[] bytes = message.getBytes();
          if (bytes.length > 0) {
            int channel = bytes[0] & 0xff;
            if (channel == CLOSE) {
              input.end(bytes[1]);
            } else {
              input.bytes(channel, Arrays.copyOfRange(bytes, 1, bytes.length));
            }
          }
        });
    socket.closeHandler(closed -> input.gone());
  }

  @Override
  public void send(int channel, byte[] bytes) {
    Waiting.on(
        socket.writeBinaryMessage(Buffer.buffer().appendByte((byte) channel).appendBytes(bytes)));
  }

  @Override
  public void end(int channel) {
    // the protocol has no end of an output but that of the connection
  }

  @Override
  public void close() {
    Waiting.on(socket.close());
  }
}
