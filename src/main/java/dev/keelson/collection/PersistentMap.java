package dev.keelson.collection;

import java.util.Arrays;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * An immutable map without an order. An edit returns a new map that shares all but a few nodes with
 * the old one, so that readers keep a state of a large map while another thread makes the next one.
 * Keys and values are not null. Safe for use by several threads.
 */
public final class PersistentMap<K, V> {

  /*
   * A hash trie (Bagwell, "Ideal Hash Trees"): each level is chosen by five bits of the hash. A Branch has a bit for each child that
   * exists, and the children in the order of their bits. Entries of one hash share a Bucket, at any level. An edit copies the nodes from
   * the root to the entry: the depth is the logarithm of the size to the base 32. A branch is never left with a single entry below the
   * root, so that a map does not depend on the edits that made it.
   */

  private static final int BITS = 5;
  private static final int MASK = (1 << BITS) - 1;
  private static final PersistentMap<?, ?> EMPTY =
      new PersistentMap<>(new Branch<>(0, new Node<?, ?>[0]), 0);

  private final Branch<K, V> root;
  private final int size;

  private sealed interface Node<K, V> {}

  private record Entry<K, V>(int hash, K key, V value) implements Node<K, V> {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Bucket<K, V>(int hash, Entry<?, ?>[] entries) implements Node<K, V> {

    @SuppressWarnings("unchecked") // only filled with entries of these types
    Entry<K, V> entry(int index) {
      return (Entry<K, V>) entries[index];
    }

    int indexOf(Object key) {
      for (int i = 0; i < entries.length; i++) {
        if (entries[i].key.equals(key)) {
          return i;
        }
      }
      return -1;
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Branch<K, V>(int bits, Node<?, ?>[] children) implements Node<K, V> {

    boolean has(int bit) {
      return (bits & bit) != 0;
    }

    int index(int bit) {
      return Integer.bitCount(bits & (bit - 1));
    }

    @SuppressWarnings("unchecked") // only filled with nodes of these types
    Node<K, V> child(int index) {
      return (Node<K, V>) children[index];
    }

    Branch<K, V> replaced(int index, Node<K, V> child) {
      Node<?, ?>[] next = children.clone();
      next[index] = child;
      return new Branch<>(bits, next);
    }

    Branch<K, V> inserted(int bit, Node<K, V> child) {
      int index = index(bit);
      Node<?, ?>[] next = Arrays.copyOf(children, children.length + 1);
      System.arraycopy(children, index, next, index + 1, children.length - index);
      next[index] = child;
      return new Branch<>(bits | bit, next);
    }

    Branch<K, V> removed(int bit) {
      int index = index(bit);
      Node<?, ?>[] next = Arrays.copyOf(children, children.length - 1);
      System.arraycopy(children, index + 1, next, index, next.length - index);
      return new Branch<>(bits & ~bit, next);
    }
  }

  private PersistentMap(Branch<K, V> root, int size) {
    this.root = root;
    this.size = size;
  }

  /** The map without entries. */
  @SuppressWarnings("unchecked") // it has no entry of any type
  public static <K, V> PersistentMap<K, V> empty() {
    return (PersistentMap<K, V>) EMPTY;
  }

  /** The number of entries. */
  public int size() {
    return size;
  }

  /** The value of a key; null if it has none. */
  public @Nullable V get(K key) {
    int hash = hash(key);
    Node<K, V> node = root;
    int shift = 0;
    while (node instanceof Branch<K, V> branch) {
      int bit = bit(hash, shift);
      if (!branch.has(bit)) {
        return null;
      }
      node = branch.child(branch.index(bit));
      shift += BITS;
    }
    return switch (node) {
      case Entry<K, V> entry -> entry.hash == hash && entry.key.equals(key) ? entry.value : null;
      case Bucket<K, V> bucket -> {
        int index = bucket.hash == hash ? bucket.indexOf(key) : -1;
        yield index < 0 ? null : bucket.entry(index).value;
      }
      case Branch<K, V> _ -> null;
    };
  }

  /** The value of a key, {@code absent} if it has none. */
  public V getOrDefault(K key, V absent) {
    V found = get(key);
    return found == null ? absent : found;
  }

  /** The map in which {@code key} has {@code value}. */
  public PersistentMap<K, V> with(K key, V value) {
    Entry<K, V> entry = new Entry<>(hash(key), key, value);
    return new PersistentMap<>(put(root, entry, 0), get(key) == null ? size + 1 : size);
  }

  /** The map without {@code key}; this map if it has none. */
  public PersistentMap<K, V> without(K key) {
    if (get(key) == null) {
      return this;
    }
    return size == 1
        ? empty()
        : new PersistentMap<>(branch(removed(root, key, hash(key), 0)), size - 1);
  }

  /** Passes every entry, in no particular order. */
  public void forEach(BiConsumer<? super K, ? super V> action) {
    forEach(root, action);
  }

  private static <K, V> void forEach(Node<K, V> node, BiConsumer<? super K, ? super V> action) {
    switch (node) {
      case Entry<K, V> entry -> action.accept(entry.key, entry.value);
      case Bucket<K, V> bucket -> {
        for (int i = 0; i < bucket.entries.length; i++) {
          forEach(bucket.entry(i), action);
        }
      }
      case Branch<K, V> branch -> {
        for (int i = 0; i < branch.children.length; i++) {
          forEach(branch.child(i), action);
        }
      }
    }
  }

  /** The number of nodes that this map does not share with {@code other}. */
  int unsharedWith(PersistentMap<K, V> other) {
    return unshared(root, other.root);
  }

  private static <K, V> int unshared(Node<K, V> node, @Nullable Node<K, V> other) {
    if (node == other) {
      return 0;
    }
    int count = 1;
    if (node instanceof Branch<K, V> branch) {
      for (int rest = branch.bits; rest != 0; rest &= rest - 1) {
        int bit = Integer.lowestOneBit(rest);
        count +=
            unshared(
                branch.child(branch.index(bit)),
                other instanceof Branch<K, V> same && same.has(bit)
                    ? same.child(same.index(bit))
                    : null);
      }
    }
    return count;
  }

  private static int hash(Object key) {
    int hash = key.hashCode() * 0x9E3779B9;
    return hash ^ (hash >>> 16);
  }

  private static int bit(int hash, int shift) {
    return 1 << ((hash >>> shift) & MASK);
  }

  private static <K, V> Branch<K, V> put(Branch<K, V> branch, Entry<K, V> entry, int shift) {
    int bit = bit(entry.hash, shift);
    if (!branch.has(bit)) {
      return branch.inserted(bit, entry);
    }
    int index = branch.index(bit);
    return branch.replaced(index, joined(branch.child(index), entry, shift + BITS));
  }

  /** What takes the place of {@code node} when {@code entry} is put there. */
  private static <K, V> Node<K, V> joined(Node<K, V> node, Entry<K, V> entry, int shift) {
    return switch (node) {
      case Branch<K, V> branch -> put(branch, entry, shift);
      case Entry<K, V> other when other.hash != entry.hash ->
          split(other, other.hash, entry, shift);
      case Entry<K, V> other when other.key.equals(entry.key) -> entry;
      case Entry<K, V> other -> new Bucket<>(entry.hash, new Entry<?, ?>[] {other, entry});
      case Bucket<K, V> bucket when bucket.hash != entry.hash ->
          split(bucket, bucket.hash, entry, shift);
      case Bucket<K, V> bucket -> {
        int index = bucket.indexOf(entry.key);
        int length = bucket.entries.length;
        Entry<?, ?>[] next = Arrays.copyOf(bucket.entries, index < 0 ? length + 1 : length);
        next[index < 0 ? length : index] = entry;
        yield new Bucket<>(entry.hash, next);
      }
    };
  }

  private static <K, V> Branch<K, V> split(
      Node<K, V> node, int hash, Entry<K, V> entry, int shift) {
    Branch<K, V> alone = new Branch<>(bit(hash, shift), new Node<?, ?>[] {node});
    return put(alone, entry, shift);
  }

  /** The node without a key that it has; null if nothing is left. */
  private static <K, V> @Nullable Node<K, V> removed(
      Node<K, V> node, Object key, int hash, int shift) {
    return switch (node) {
      case Entry<K, V> _ -> null;
      case Bucket<K, V> bucket -> {
        int index = bucket.indexOf(key);
        Entry<?, ?>[] rest = Arrays.copyOf(bucket.entries, bucket.entries.length - 1);
        System.arraycopy(bucket.entries, index + 1, rest, index, rest.length - index);
        yield rest.length == 1 ? bucket.entry(index == 0 ? 1 : 0) : new Bucket<>(hash, rest);
      }
      case Branch<K, V> branch -> {
        int bit = bit(hash, shift);
        int index = branch.index(bit);
        Node<K, V> left = removed(branch.child(index), key, hash, shift + BITS);
        Branch<K, V> next = left == null ? branch.removed(bit) : branch.replaced(index, left);
        boolean single = next.children.length == 1 && !(next.child(0) instanceof Branch<K, V>);
        yield single && shift > 0 ? next.child(0) : next;
      }
    };
  }

  private static <K, V> Branch<K, V> branch(@Nullable Node<K, V> root) {
    if (root instanceof Branch<K, V> branch) {
      return branch;
    }
    throw new IllegalStateException("the root of a map with entries is a branch");
  }
}
