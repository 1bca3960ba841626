package dev.keelson.controller.manager;

import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.ControllerLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/** One informer of each type, followed from its first use until the end. */
public final class SharedInformers implements AutoCloseable {

  /** A watch that ends sooner is not begun again at once: the server may not be well. */
  private static final Duration SHORTEST_WATCH = Duration.ofSeconds(1);

  private final ApiClient reader;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock, as are the loops. */
  private final IdentityHashMap<InformerType<?>, Informer<?>> informers = new IdentityHashMap<>();

  private final List<ControllerLoop> loops = new ArrayList<>();

  /**
   * No informers yet.
   *
   * @param reader may list and watch everything that is asked for
   * @param nanos a monotonic clock, in nanoseconds
   */
  public SharedInformers(ApiClient reader, LongSupplier nanos) {
    this.reader = reader;
    this.nanos = nanos;
  }

  /** The informer of a type, which runs but may not have synced. */
  public <T> Informer<T> of(InformerType<T> type) {
    lock.lock();
    try {
      Informer<?> known = informers.get(type);
      if (known != null) {
        // put below under the same key
        @SuppressWarnings("unchecked")
        Informer<T> same = (Informer<T>) known;
        return same;
      }
      Informer<T> made = Informer.of(reader, type);
      informers.put(type, made);
      ControllerLoop loop =
          ControllerLoop.every(
              "informer-" + type.resource().resource(), Duration.ZERO, () -> follow(made));
      loops.add(loop);
      loop.start();
      return made;
    } finally {
      lock.unlock();
    }
  }

  private void follow(Informer<?> informer) throws IOException, InterruptedException {
    long begin = nanos.getAsLong();
    informer.follow();
    Duration rest = SHORTEST_WATCH.minusNanos(nanos.getAsLong() - begin);
    if (rest.isPositive()) {
      Thread.sleep(rest);
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      loops.forEach(ControllerLoop::close);
    } finally {
      lock.unlock();
    }
  }
}
