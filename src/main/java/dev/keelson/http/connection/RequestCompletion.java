package dev.keelson.http.connection;

import java.util.ArrayList;
import java.util.List;

/**
 * What is to be done when a request is over, however it ends: answered, broken off, or a WebSocket
 * closed. Lives on the request's event loop.
 */
final class RequestCompletion {

  private final List<Runnable> actions = new ArrayList<>(3);
  private boolean over;

  /** Adds an action; runs it at once if the request is over already. */
  void add(Runnable action) {
    if (over) {
      action.run();
    } else {
      actions.add(action);
    }
  }

  /** Runs the actions; only the first call does anything. */
  void fire() {
    if (!over) {
      over = true;
      actions.forEach(Runnable::run);
    }
  }
}
