package dev.keelson.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries the server from {@link Main}, which runs before Quarkus, to the objects that Quarkus
 * makes. The server opens before Quarkus starts: doing both at once saved time, and once in a while
 * left the start hanging, with two threads that initialise classes.
 */
final class Launch {

  private static volatile @Nullable CompletableFuture<KeelsonServer> opening;

  private Launch() {}

  /** Opens the server; what keeps it from opening is told by {@link #await}. */
  static void begin(Supplier<KeelsonServer> open) {
    CompletableFuture<KeelsonServer> future = new CompletableFuture<>();
    opening = future;
    try {
      future.complete(open.get());
    } catch (RuntimeException e) {
      future.completeExceptionally(e);
    }
  }

  /** Waits until the server is open; throws what kept it from opening. */
  static KeelsonServer await() {
    CompletableFuture<KeelsonServer> future = opening;
    if (future == null) {
      throw new IllegalStateException("Quarkus started without Main");
    }
    try {
      return future.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
