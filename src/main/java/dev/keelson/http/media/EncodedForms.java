package dev.keelson.http.media;

import dev.keelson.cache.Lazy;
import dev.keelson.storage.Bytes;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A cache of encoded forms of stored objects, or of parts of them, that are requested repeatedly.
 * An entry is weakly keyed by the stored bytes and removed with them. Safe for use by several
 * threads.
 *
 * @param <F> a form
 */
final class EncodedForms<F> {

  /*
   * Not Caffeine, which records every read: a lookup takes 0.6 to 1.1 microseconds instead of 0.1 to 0.2, and a list makes one per object (10,000 entries with weak keys and weights, one thread). The first request of a form leaves a mark in a table of buckets, which later ones overwrite when their bucket is full; a form is cached if its mark is found. (Without buckets two objects of one place take each other's mark for ever: a seventh of 10,000 objects was never cached.) When the budget is exhausted, a clock algorithm evicts forms that were not used since its last round; if it does not find one soon, the new form is not cached.
   */

  private static final int MARKS = 1 << 18;

  /** The marks of one bucket: half a cache line. */
  private static final int BUCKET = 8;

  private static final int PATIENCE = 8;

  /** The approximate overhead of an entry in bytes. */
  private static final int OVERHEAD = 160;

  private final long budget;
  private final AtomicLong used = new AtomicLong();

  /** A megabyte: a server that encodes nothing twice does without it. */
  private final Lazy<AtomicIntegerArray> places = new Lazy<>(() -> new AtomicIntegerArray(MARKS));

  private final ToIntFunction<F> size;
  private final Map<Object, Held<F>> forms = new ConcurrentHashMap<>();
  private final ReferenceQueue<Bytes> gone = new ReferenceQueue<>();

  /** The clock hand; guarded by this. */
  private Iterator<Held<F>> hand = Collections.emptyIterator();

  /** A cached form, keyed by the identity of the stored bytes. */
  private static final class Held<F> extends WeakReference<Bytes> {
    private final int hash;
    private final Object kind;
    private final long revision;
    private final F form;
    private final long cost;
    private volatile boolean used;

    Held(Bytes stored, Object kind, long revision, F form, long cost, ReferenceQueue<Bytes> gone) {
      super(stored, gone);
      this.hash = System.identityHashCode(stored);
      this.kind = kind;
      this.revision = revision;
      this.form = form;
      this.cost = cost;
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other;
    }
  }

  /** A lookup key. */
  private record Sought(Bytes stored) {
    @Override
    public int hashCode() {
      return System.identityHashCode(stored);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Held<?> held && held.refersTo(stored);
    }
  }

  /**
   * Creates an empty cache.
   *
   * @param budget the maximum size of all forms in bytes
   * @param size the size of a form in bytes
   */
  EncodedForms(long budget, ToIntFunction<F> size) {
    this.budget = budget;
    this.size = size;
  }

  /**
   * Returns the cached form of the stored bytes (by identity), or null.
   *
   * @param kind which form it is, by identity: its schema or its table; there is one at a time
   */
  @Nullable F find(Bytes stored, Object kind, long revision) {
    Held<F> held = forms.get(new Sought(stored));
    if (held == null || held.kind != kind || held.revision != revision) {
      return null;
    }
    if (!held.used) {
      held.used = true;
    }
    return held.form;
  }

  /** Caches a form if it was requested before and there is room. */
  void offer(Bytes stored, Object kind, long revision, F form) {
    if (!requestedBefore(System.identityHashCode(stored))) {
      return;
    }
    forgetGone();
    long cost = (long) size.applyAsInt(form) + OVERHEAD;
    if (!makeRoom(cost)) {
      return;
    }
    Held<F> held = new Held<>(stored, kind, revision, form, cost, gone);
    Held<F> before = forms.remove(new Sought(stored));
    if (before != null) {
      used.addAndGet(-before.cost);
    }
    forms.put(held, held);
    used.addAndGet(cost);
  }

  /** Whether the mark of a request before is there; leaves one if not. */
  private boolean requestedBefore(int hash) {
    AtomicIntegerArray marks = places.get();
    int first = (hash & MARKS / BUCKET - 1) * BUCKET;
    for (int i = first; i < first + BUCKET; i++) {
      int mark = marks.getPlain(i);
      if (mark == hash) {
        return true;
      }
      if (mark == 0) {
        marks.setPlain(i, hash);
        return false;
      }
    }
    marks.setPlain(first + ThreadLocalRandom.current().nextInt(BUCKET), hash);
    return false;
  }

  /** The size of the forms in bytes. */
  long used() {
    forgetGone();
    return used.get();
  }

  private synchronized boolean makeRoom(long cost) {
    for (int i = 0; used.get() + cost > budget; i++) {
      if (!hand.hasNext()) {
        hand = forms.values().iterator();
      }
      if (i == PATIENCE || !hand.hasNext()) {
        return false;
      }
      Held<F> next = hand.next();
      if (next.used) {
        next.used = false;
      } else {
        remove(next);
      }
    }
    return true;
  }

  private void forgetGone() {
    for (Reference<?> next = gone.poll(); next != null; next = gone.poll()) {
      if (next instanceof Held<?> held) {
        remove(held);
      }
    }
  }

  private void remove(Held<?> held) {
    if (forms.remove(held, held)) {
      used.addAndGet(-held.cost);
    }
  }
}
