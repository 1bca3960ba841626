package dev.keelson.cache;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is made when it is first needed, once. Safe for use by several threads.
 *
 * @param <T> the type of the value
 */
public final class Lazy<T extends Object> {

  private final Supplier<T> make;
  private volatile @Nullable T made;

  /**
   * @param make makes the value; called again if it throws
   */
  public Lazy(Supplier<T> make) {
    this.make = make;
  }

  /** The value, which this call makes if there is none; others wait for it meanwhile. */
  public T get() {
    T known = made;
    return known == null ? first() : known;
  }

  /** The value; null if it has not been needed yet. */
  public @Nullable T known() {
    return made;
  }

  private synchronized T first() {
    T known = made;
    if (known == null) {
      known = make.get();
      made = known;
    }
    return known;
  }
}
