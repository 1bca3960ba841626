package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One change of one object, shared by all its watchers. What readers derive from it (its labels,
 * its encoded forms) can be kept with it, so that it is made once, however many watchers there are.
 */
public final class CacheEvent {

  /** The event itself, its entries and keys, and its share of a state. */
  private static final int OVERHEAD = 400;

  private final long revision;
  private final Bytes key;
  private final @Nullable Entry before;
  private final @Nullable Entry after;
  private final @Nullable SnapshotTree state;
  private volatile Derived derived = NONE;

  private static final Derived NONE = new Derived(new Object(), new Object(), null);

  /** A list of what has been derived; it stays short, since it has one element a representation. */
  private record Derived(Object form, Object value, @Nullable Derived next) {}

  /**
   * A change.
   *
   * @param state the state that it led to, or null if that is to be made from one before it
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

  /** The object after the change, or null if it is gone. */
  public @Nullable Entry after() {
    return after;
  }

  /** What it takes of memory, in bytes, about: both of its values, and what is made of them. */
  long weight() {
    return OVERHEAD + size(before) + size(after);
  }

  private static long size(@Nullable Entry entry) {
    return entry == null ? 0 : entry.value().length();
  }

  /** The state that the change leads to from the one before it. */
  SnapshotTree appliedTo(SnapshotTree previous) {
    if (state != null) {
      return state;
    }
    return after == null ? previous.without(key) : previous.with(after);
  }

  /** Whether the state that it led to is at hand. */
  boolean hasState() {
    return state != null;
  }

  /**
   * What {@code maker} makes of this event, made at most a few times and then shared.
   *
   * @param form names what is made; compared by equals
   */
  @SuppressWarnings("unchecked")
  public <T> T derive(Object form, Supplier<T> maker) {
    for (Derived known = derived; known != null; known = known.next) {
      if (known.form.equals(form)) {
        return (T) known.value;
      }
    }
    T made = maker.get();
    // concurrent threads may make it twice, and one result is dropped: that only costs work
    derived = new Derived(form, made, derived);
    return made;
  }
}
