package dev.keelson.controller.manager;

import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.SharedWatch;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.controller.ControllerLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * One informer of each type, followed until the end. Those that are asked for before {@link #start}
 * share a watch with the others of the same selection; a later one has a watch of its own.
 */
public final class SharedInformers implements AutoCloseable {

  /** A watch that ends sooner is not begun again at once: the server may not be well. */
  private static final Duration SHORTEST_WATCH = Duration.ofSeconds(1);

  private final ApiClient reader;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by the lock, as are the fields below. */
  private final IdentityHashMap<InformerType<?>, Informer<?>> informers = new IdentityHashMap<>();

  private final List<ControllerLoop> loops = new ArrayList<>();

  /** The watches that have not begun. */
  private final Map<Selection, SharedWatch> waiting = new HashMap<>();

  private boolean started;

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

  /** Begins the watches; may be called again. */
  public void start() {
    lock.lock();
    try {
      started = true;
      waiting.forEach(this::start);
      waiting.clear();
    } finally {
      lock.unlock();
    }
  }

  private void start(Selection selection, SharedWatch watch) {
    String name = "informer-" + selection.resource().resource();
    ControllerLoop loop = ControllerLoop.every(name, Duration.ZERO, () -> follow(watch));
    loops.add(loop);
    loop.start();
  }

  /** The informer of a type, which follows the objects after {@link #start}. */
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
      SharedWatch watch =
          waiting.computeIfAbsent(
              type.selection(), selection -> new SharedWatch(reader, selection));
      Informer<T> made = Informer.of(watch, type);
      informers.put(type, made);
      if (started) {
        start();
      }
      return made;
    } finally {
      lock.unlock();
    }
  }

  private void follow(SharedWatch watch) throws IOException, InterruptedException {
    long begin = nanos.getAsLong();
    watch.follow();
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
