package dev.keelson.http.connection;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bounds the memory of all request bodies, and how many large ones are handled at a time: the trees
 * of an object take up to a hundred times its body. Safe for use by several threads.
 */
final class BodyBudget {

  private static final long LEAST = 32L * 1024 * 1024;

  /** Bodies up to this size are handled at once. */
  static final int SMALL_BYTES = 64 * 1024;

  /** What a byte of a body may become while it is handled. */
  private static final int GROWTH = 128;

  private static final int UNIT = 1024;

  /** One of the largest, and room beside it for what a webhook may write meanwhile. */
  private static final int LEAST_TURNS = 4 * 1024 * 1024 / UNIT;

  private final long most;
  private final int turns;

  /** The large bodies that can be handled, in KiB; first come, first served. */
  private final Semaphore handled;

  private final AtomicLong used = new AtomicLong();

  /** A budget of {@code most} bytes. */
  BodyBudget(long most) {
    this.most = most;
    this.turns = Math.clamp(most * 8 / GROWTH / UNIT, LEAST_TURNS, Integer.MAX_VALUE);
    this.handled = new Semaphore(turns, true);
  }

  /** An eighth of the memory of this process, at least 32 MiB. */
  static BodyBudget ofMemory() {
    return new BodyBudget(Math.max(LEAST, Runtime.getRuntime().maxMemory() / 8));
  }

  /** Takes {@code bytes}; false if there are too few left. */
  boolean take(long bytes) {
    if (used.addAndGet(bytes) > most) {
      give(bytes);
      return false;
    }
    return true;
  }

  /** Gives back what {@link #take} took. */
  void give(long bytes) {
    long unused = used.addAndGet(-bytes);
  }

  /**
   * Waits until a body can be handled.
   *
   * @return what {@link #handled} gives back; 0 for a small one, which does not wait
   */
  int await(int bytes) throws InterruptedException {
    if (bytes <= SMALL_BYTES) {
      return 0;
    }
    int units = Math.min(turns, bytes / UNIT);
    handled.acquire(units);
    return units;
  }

  /** A body has been handled; {@code units} are what {@link #await} returned. */
  void handled(int units) {
    handled.release(units);
  }

  /** The bytes that are taken. */
  long used() {
    return used.get();
  }
}
