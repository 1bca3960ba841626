package dev.keelson.value;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * One instance of equal immutable values, mostly: those that were used recently are known as long
 * as something else holds them, however large they are. Safe for use by several threads.
 *
 * @param <T> an immutable type with {@code equals} and {@code hashCode}
 */
public final class SharedInstances<T> {

  private static final int SIZE = 1024;

  /** By hash; a value that another thread replaces is only known later. */
  private final AtomicReferenceArray<@Nullable WeakReference<T>> recent =
      new AtomicReferenceArray<>(SIZE);

  /** An equal value, mostly the same instance for equal values. */
  public T of(T value) {
    int code = value.hashCode();
    int slot = (code ^ code >>> 16) & SIZE - 1;
    WeakReference<T> reference = recent.getAcquire(slot);
    T known = reference == null ? null : reference.get();
    if (known != null && known.equals(value)) {
      return known;
    }
    recent.setRelease(slot, new WeakReference<>(value));
    return value;
  }
}
