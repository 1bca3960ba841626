package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A change of an object, shared by all watchers. Values derived from it (labels, encoded forms) are
 * cached in it, so that they are computed once for all watchers.
 */
public final class CacheEvent {

  /** The approximate size of the event, its entries and keys, and its share of a state. */
  private static final int OVERHEAD = 400;

  private final long revision;
  private final Bytes key;
  private final @Nullable Entry before;
  private final @Nullable Entry after;
  private final @Nullable SnapshotTree state;
  private volatile Derived derived = NONE;

  private static final Derived NONE = new Derived(new Object(), new Object(), null);

  /** A linked list of derived values, one per representation. */
  private record Derived(Object form, Object value, @Nullable Derived next) {}

  /**
   * @param state the state after the change, or null if it is computed from an earlier one
   */
  CacheEvent(
      long revision,
      Bytes key,
      @Nullable Entry before,
      @Nullable Entry after,
      @Nullable SnapshotTree state) {
    this.revision = revision;
    this.key = key;
    this.before = before;
    this.after = after;
    this.state = state;
  }

  /** The revision of the change. */
  public long revision() {
    return revision;
  }

  public Bytes key() {
    return key;
  }

  /** The object before the change, or null if it is new. */
  public @Nullable Entry before() {
    return before;
  }

  /** The object after the change, or null if it was deleted. */
  public @Nullable Entry after() {
    return after;
  }

  /** The approximate memory of the event in bytes, with both values, without derived ones. */
  long weight() {
    return OVERHEAD + size(before) + size(after);
  }

  /** The bytes of an entry's value; 0 without one. */
  static long size(@Nullable Entry entry) {
    return entry == null ? 0 : entry.value().length();
  }

  /**
   * Drops the derived values, which are larger than the event; they are derived again if needed.
   */
  void dropDerived() {
    derived = NONE;
  }

  /** Applies the change to the state before it. */
  SnapshotTree appliedTo(SnapshotTree previous) {
    if (state != null) {
      return state;
    }
    return after == null ? previous.without(key) : previous.with(after);
  }

  /** Whether the event has the state after the change. */
  boolean hasState() {
    return state != null;
  }

  /**
   * Returns a derived value, computed at most a few times and then shared.
   *
   * @param form the key of the value; compared by equals
   */
  @SuppressWarnings("unchecked")
  public <T> T derive(Object form, Supplier<T> maker) {
    for (Derived known = derived; known != null; known = known.next) {
      if (known.form.equals(form)) {
        return (T) known.value;
      }
    }
    T made = maker.get();
    // concurrent threads may compute it twice; one result is dropped
    derived = new Derived(form, made, derived);
    return made;
  }
}
