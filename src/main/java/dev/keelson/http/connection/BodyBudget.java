package dev.keelson.http.connection;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds the memory of all request bodies. Safe for use by several threads. */
final class BodyBudget {

  private static final long LEAST = 32L * 1024 * 1024;

  private final long most;
  private final AtomicLong used = new AtomicLong();

  /** A budget of {@code most} bytes. */
  BodyBudget(long most) {
    this.most = most;
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

  /** The bytes that are taken. */
  long used() {
    return used.get();
  }
}
