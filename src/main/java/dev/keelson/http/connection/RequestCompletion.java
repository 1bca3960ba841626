package dev.keelson.http.connection;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs actions when a request completes: the response was sent, the connection was reset or the
 * WebSocket was closed. Confined to the request's event loop.
 */
final class RequestCompletion {

  private final List<Runnable> actions = new ArrayList<>(3);
  private boolean over;

  /** Adds an action; runs it immediately if the request is complete. */
  void add(Runnable action) {
    if (over) {
      action.run();
    } else {
      actions.add(action);
    }
  }

  /** Runs the actions; further calls do nothing. */
  void fire() {
    if (!over) {
      over = true;
      actions.forEach(Runnable::run);
    }
  }
}
