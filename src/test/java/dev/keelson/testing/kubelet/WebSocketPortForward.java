package dev.keelson.testing.kubelet;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Port forward over {@code v4.channel.k8s.io}: a data channel and an error channel for each port,
 * whose first messages are the number of the port.
 */
record WebSocketPortForward(ServerWebSocket socket, NetClient client, List<Integer> ports) {

  void begin() {
    Map<Integer, NetSocket> open = new ConcurrentHashMap<>();
    for (int i = 0; i < ports.size(); i++) {
      int channel = 2 * i;
      int port = ports.get(i);
      for (int each : List.of(channel, channel + 1)) {
        var unused =
            socket.writeBinaryMessage(
                Buffer.buffer().appendByte((byte) each).appendShortLE((short) port));
      }
    }
    socket.pause();
    for (int i = 0; i < ports.size(); i++) {
      int channel = 2 * i;
      client
          .connect(ports.get(i), "127.0.0.1")
          .onSuccess(
              target -> {
                open.put(channel, target);
                target.handler(bytes -> send(channel, bytes));
                target.endHandler(
                    end -> {
                      var unused = socket.close();
                    });
                if (open.size() == ports.size()) {
                  socket.resume();
                }
              })
          .onFailure(e -> send(channel + 1, Buffer.buffer(e.getMessage())));
    }
    socket.binaryMessageHandler(
        message -> {
          NetSocket target = open.get((int) message.getByte(0));
          if (target != null) {
            var unused = target.write(message.getBuffer(1, message.length()));
          }
        });
    socket.closeHandler(
        closed ->
            open.values()
                .forEach(
                    target -> {
                      var unused = target.close();
                    }));
  }

  private void send(int channel, Buffer bytes) {
    var unused =
        socket.writeBinaryMessage(Buffer.buffer().appendByte((byte) channel).appendBuffer(bytes));
  }
}
