package dev.keelson.server.lifecycle;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which parts of the server have started. Safe for use by several threads. */
public final class StartProgress {

  private final Set<String> started = ConcurrentHashMap.newKeySet();

  /** Records that a part has started. */
  void completed(String part) {
    started.add(part);
  }

  /** Whether the part has started. */
  public boolean hasStarted(String part) {
    return started.contains(part);
  }
}
