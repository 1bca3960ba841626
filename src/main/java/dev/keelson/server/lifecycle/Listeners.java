package dev.keelson.server.lifecycle;

import io.netty.channel.Channel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The listening sockets of the HTTP server. Safe for use by several threads. */
public final class Listeners {

  private final Set<Channel> open = ConcurrentHashMap.newKeySet();

  /** A socket accepts connections. */
  public void add(Channel listener) {
    open.add(listener);
  }

  /** Accepts no more connections; those that are open are kept. Does not wait for it. */
  public void close() {
    for (Channel listener : open) {
      var unused = listener.close();
    }
  }
}
