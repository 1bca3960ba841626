package dev.keelson.http.stream;

import dev.keelson.http.Body;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Port forward by SPDY inside the messages of a WebSocket: the bytes of the messages are the
 * kubelet's connection (source: {@code TunnelingHandler} of apiserver). Confined to the event loop
 * of both connections.
 */
public final class TunnelledForward implements Body.Upgraded, WebSocketReader.Sink {

  /** What the names of subprotocols begin with; the kubelet's protocol follows. */
  public static final String PREFIX = "SPDY/3.1+";

  private static final Logger LOG = Logger.getLogger(TunnelledForward.class);

  private final NetSocket server;
  private final Buffer first;
  private final WebSocketReader fromClient = new WebSocketReader(this);
  private @Nullable NetSocket client;
  private boolean over;

  /**
   * @param server the connection to the kubelet, paused
   * @param first what it has sent already
   */
  public TunnelledForward(NetSocket server, Buffer first) {
    this.server = server;
    this.first = first;
  }

  @Override
  public void take(NetSocket connection) {
    client = connection;
    connection.handler(this::receive);
    Sockets.watch(connection);
    connection.closeHandler(
        gone -> {
          over = true;
          Sockets.close(server);
        });
    Sockets.watch(server);
    // after what was read before, also while it is paused
    server.endHandler(end -> finish(WebSocketFrames.NORMAL));
    server.handler(bytes -> toClient(WebSocketFrames.binary(bytes)));
    if (first.length() > 0) {
      toClient(WebSocketFrames.binary(first));
    }
    server.resume();
    connection.resume();
  }

  @Override
  public void abandon() {
    Sockets.close(server);
  }

  private void receive(Buffer bytes) {
    try {
      fromClient.add(bytes);
    } catch (IOException e) {
      LOG.debugf("event=websocket-refused error=%s", e.getMessage());
      finish(WebSocketFrames.PROTOCOL_ERROR);
    }
  }

  @Override
  public void part(Buffer bytes, boolean begins) {
    if (!over) {
      Sockets.pass(server, bytes, client);
    }
  }

  @Override
  public void ping(Buffer payload) {
    toClient(WebSocketFrames.pong(payload));
  }

  @Override
  public void closed() {
    finish(WebSocketFrames.NORMAL);
  }

  private void toClient(Buffer frame) {
    NetSocket to = client;
    if (to != null && !over) {
      Sockets.pass(to, frame, server);
    }
  }

  private void finish(int code) {
    NetSocket to = client;
    if (over || to == null) {
      return;
    }
    over = true;
    Sockets.close(server);
    Sockets.finish(to, WebSocketFrames.close(code));
  }
}
