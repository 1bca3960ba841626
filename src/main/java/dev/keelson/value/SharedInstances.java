package dev.keelson.value;

import org.jspecify.annotations.Nullable;

/**
 * One instance of equal immutable values, mostly: those that were used recently are known. The
 * memory is bounded. Safe for use by several threads.
 *
 * @param <T> an immutable type with {@code equals} and {@code hashCode}, safe to publish without a
 *     lock, such as a record
 */
public final class SharedInstances<T> {

  private static final int SIZE = 1024;

  /** By hash; races of threads are harmless: an instance that is lost is only known later. */
  private final @Nullable Object[] recent = new Object[SIZE];

  /** An equal value, mostly the same instance for equal values. */
  // only values of T are stored
  @SuppressWarnings("unchecked")
  public T of(T value) {
    int code = value.hashCode();
    int slot = (code ^ code >>> 16) & SIZE - 1;
    Object known = recent[slot];
    if (known != null && known.equals(value)) {
      return (T) known;
    }
    recent[slot] = value;
    return value;
  }
}
