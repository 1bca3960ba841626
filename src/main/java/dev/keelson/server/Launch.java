package dev.keelson.server;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries the server from {@link Main}, which runs before Quarkus, to the objects that Quarkus
 * makes. The server opens while Quarkus starts, on a thread of its own: the two need nothing of
 * each other until the first listener is set up, and that saves the shorter of the two times.
 */
final class Launch {

  private static volatile @Nullable CompletableFuture<KeelsonServer> opening;

  private Launch() {}

  /** Begins to open the server. */
  static void begin(Supplier<KeelsonServer> open) {
    CompletableFuture<KeelsonServer> future = new CompletableFuture<>();
    opening = future;
    Thread.ofPlatform()
        .name("keelson-open")
        .daemon()
        .start(
            () -> {
              try {
                future.complete(open.get());
              } catch (Throwable e) {
                // the root of this thread; await throws it on
                future.completeExceptionally(e);
              }
            });
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
