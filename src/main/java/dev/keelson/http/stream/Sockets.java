package dev.keelson.http.stream;

import static java.util.Objects.requireNonNull;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** What both kinds of streams do with their sockets, on the event loop. */
final class Sockets {

  private static final Logger LOG = Logger.getLogger(Sockets.class);

  /** How long a client may take the rest after the end. */
  private static final long GRACE_MILLIS = 60_000;

  private Sockets() {}

  /** Sends, and pauses what the bytes come from until they are taken. */
  static void pass(NetSocket to, Buffer frame, @Nullable NetSocket from) {
    to.write(frame).onFailure(e -> close(to));
    if (from != null && to.writeQueueFull()) {
      var unused = from.pause();
      unused = to.drainHandler(drained -> from.resume());
    }
  }

  /** Sends the last frame and closes, after what is queued, or when the client does not take it. */
  static void finish(NetSocket to, Buffer last) {
    Vertx loop = requireNonNull(Vertx.currentContext(), "sockets belong to an event loop").owner();
    long timer = loop.setTimer(GRACE_MILLIS, late -> close(to));
    to.closeHandler(
        gone -> {
          boolean unused = loop.cancelTimer(timer);
        });
    // what the client still sends is dropped
    var unused = to.resume();
    to.end(last).onComplete(sent -> close(to));
  }

  /** A failed connection is closed after its error. */
  static void watch(NetSocket socket) {
    var unused = socket.exceptionHandler(e -> LOG.debugf("event=stream-failed error=%s", e));
  }

  static void close(NetSocket socket) {
    socket.close().onFailure(e -> LOG.debugf("event=connection-not-closed error=%s", e));
  }
}
