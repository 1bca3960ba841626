package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores the keys and values of a type with many objects contiguously in large arrays. The garbage
 * collector copies or visits each long-lived array, so one array per object causes pauses that grow
 * with the number of objects, and a copying collector needs twice the memory. Large arrays are not
 * copied and contain no references.
 *
 * <p>Removed objects remain in their slab, because older states and watchers may still reference
 * them; a sparse slab is emptied by moving its live objects ({@link #takeSparse}) and becomes
 * unreachable later. Guarded by the lock of its cache.
 */
final class Slabs {

  /**
   * Size of a slab in bytes, just below a power of two to fit the regions of garbage collectors.
   */
  private static final int SIZE = (1 << 20) - 64;

  /** Minimum size in bytes of values with their own array. */
  private static final int ALONE = SIZE / 16;

  /** Minimum size in bytes of a type that uses slabs. */
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

    /** The keys of the objects added to it; they may have been removed since. */
    List<Bytes> keys() {
      return keys;
    }

    /** Whether it contains the entry. */
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

  /** Returns the entry, copied into a slab if it should be. */
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

  /** Records that the newest state no longer has the entry. */
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

  /** Returns a sparse slab, or null. Its live entries must be kept again and released. */
  @Nullable Slab takeSparse() {
    Slab next = sparse.poll();
    while (next != null && next.live == 0) {
      next = sparse.poll();
    }
    return next;
  }

  /** The number of slabs. */
  int count() {
    return slabs.size();
  }

  private static int size(Entry entry) {
    return entry.key().length() + entry.value().length();
  }

  /** Empties sparse slabs; returns the state with the moved entries. */
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
