package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the keys and values of a type with many objects are: one behind the other in large arrays.
 * A garbage collector copies or at least visits each array that lives long, so an array an object
 * costs pauses that grow with the number of objects; and one that copies needs room for everything
 * twice. Large arrays are left where they are and hold nothing to visit.
 *
 * <p>What leaves the state stays in its slab, because older states and watchers may still show it;
 * a slab that is mostly left is emptied by moving what remains ({@link #takeSparse}), and goes when
 * there is no reference to it. Guarded by the lock of its cache.
 */
final class Slabs {

  /** Just below a power of two, since collectors set aside regions of such sizes; bytes. */
  private static final int SIZE = (1 << 20) - 64;

  /** Values from this size on keep their own arrays; bytes. */
  private static final int ALONE = SIZE / 16;

  /** A type with fewer bytes than that does not pay for a slab. */
  private static final int FEW = 2 * SIZE;

  private final IdentityHashMap<byte[], Slab> slabs = new IdentityHashMap<>();
  private final ArrayDeque<Slab> sparse = new ArrayDeque<>();
  private @Nullable Slab open;
  private long alone;

  /** One array. */
  static final class Slab {
    private final byte[] bytes = new byte[SIZE];
    private final List<Bytes> keys = new ArrayList<>();
    private int filled;
    private int live;
    private boolean noted;

    /** The keys of the objects that have been put into it; they may have left it since. */
    List<Bytes> keys() {
      return keys;
    }

    /** Whether it is where the entry is. */
    boolean holds(Entry entry) {
      return entry.value().backing() == bytes;
    }

    private Bytes add(Bytes part) {
      System.arraycopy(part.backing(), part.offset(), bytes, filled, part.length());
      Bytes added = Bytes.wrap(bytes, filled, part.length());
      filled += part.length();
      return added;
    }
  }

  /** The entry as it is to be kept: itself, or the same in a slab. */
  Entry keep(Entry entry) {
    int size = size(entry);
    if (size > ALONE || (slabs.isEmpty() && alone < FEW)) {
      alone += size;
      return entry;
    }
    Slab slab = open;
    if (slab == null || SIZE - slab.filled < size) {
      Slab full = slab;
      slab = new Slab();
      slabs.put(slab.bytes, slab);
      open = slab;
      if (full != null) {
        noteIfSparse(full);
      }
    }
    Bytes key = slab.add(entry.key());
    Bytes value = slab.add(entry.value());
    slab.live += size;
    slab.keys.add(key);
    return new Entry(key, value, entry.createRevision(), entry.modRevision());
  }

  /** The newest state does not have the entry any more. */
  void release(Entry entry) {
    Slab slab = slabs.get(entry.value().backing());
    if (slab == null) {
      alone -= size(entry);
      return;
    }
    slab.live -= size(entry);
    noteIfSparse(slab);
  }

  private void noteIfSparse(Slab slab) {
    if (slab.live == 0) {
      slabs.remove(slab.bytes);
      if (slab == open) {
        open = null;
      }
    } else if (slab != open && slab.live < SIZE / 2 && !slab.noted) {
      slab.noted = true;
      sparse.add(slab);
    }
  }

  /**
   * A slab most of which has left the newest state, or null if there is none (any more). What is
   * still there is to be kept again, and released where it was.
   */
  @Nullable Slab takeSparse() {
    Slab next = sparse.poll();
    while (next != null && next.live == 0) {
      next = sparse.poll();
    }
    return next;
  }

  /** How many slabs there are. */
  int count() {
    return slabs.size();
  }

  private static int size(Entry entry) {
    return entry.key().length() + entry.value().length();
  }

  /** Empties slabs that are mostly released; returns the state with its entries moved. */
  CacheState emptySparse(CacheState state) {
    CacheState moved = state;
    for (Slab sparse = takeSparse(); sparse != null; sparse = takeSparse()) {
      for (Bytes key : sparse.keys()) {
        Entry entry = moved.objects().get(key);
        if (entry != null && sparse.holds(entry)) {
          moved = moved.changed(entry, keep(entry));
          release(entry);
        }
      }
    }
    return moved;
  }
}
