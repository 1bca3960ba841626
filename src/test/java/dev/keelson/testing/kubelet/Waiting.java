package dev.keelson.testing.kubelet;

import io.vertx.core.Future;
import java.util.concurrent.CompletionException;

/** Waits for Vert.x; not on an event loop. */
final class Waiting {

  private Waiting() {}

  /** Waits; a connection that is gone is no error here. */
  static void on(Future<Void> future) {
    try {
      Void unused = future.toCompletionStage().toCompletableFuture().join();
    } catch (CompletionException e) {
      throw new IllegalStateException("the connection is gone", e);
    }
  }
}
