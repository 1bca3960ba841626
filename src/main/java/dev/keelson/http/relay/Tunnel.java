package dev.keelson.http.relay;

import static java.util.Objects.requireNonNull;

import dev.keelson.http.Body;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import org.jboss.logging.Logger;

/**
 * The connections of both sides, joined: the bytes of each pass to the other as they come, and no
 * faster than it takes them. When one side ends, the other gets what is still on its way, and ends.
 *
 * @param server the connection to the server, paused
 * @param first what the server has sent already
 */
record Tunnel(NetSocket server, Buffer first) implements Body.Upgraded {

  private static final Logger LOG = Logger.getLogger(Tunnel.class);

  /** How long a side may take the rest after the other has gone. */
  private static final long GRACE_MILLIS = 60_000;

  @Override
  public void take(NetSocket client) {
    join(client, server);
    if (first.length() > 0) {
      client.write(first).onFailure(e -> close(server));
    }
    server.pipeTo(client).onFailure(e -> close(client));
    client.pipeTo(server).onFailure(e -> close(server));
  }

  /**
   * Closes each side some time after the other, if it has not taken the rest by then; on their
   * event loop.
   */
  static void join(NetSocket client, NetSocket server) {
    server.closeHandler(closed -> closeLater(client));
    client.closeHandler(closed -> closeLater(server));
  }

  private static void closeLater(NetSocket socket) {
    Vertx loop =
        requireNonNull(Vertx.currentContext(), "close handlers run on an event loop").owner();
    long timer = loop.setTimer(GRACE_MILLIS, late -> close(socket));
    socket.closeHandler(
        closed -> {
          boolean unused = loop.cancelTimer(timer);
        });
  }

  static void close(NetSocket socket) {
    socket.close().onFailure(e -> LOG.debugf("event=connection-not-closed error=%s", e));
  }

  @Override
  public void abandon() {
    close(server);
  }
}
