package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * An immutable sorted map of keys to entries. An edit returns a new map that shares all but a few
 * nodes with the old one, so that many states of a large collection are cheap. Safe for use by
 * several threads.
 */
final class SnapshotTree {

  /*
   * A persistent B+ tree. Leaves hold entries in key order, inner nodes hold children and the number of entries below each. All leaves have the same depth. An edit copies the path from the root to one leaf; a node that grows beyond WIDTH is split, one that shrinks below a quarter of it is merged or balanced with a sibling. The root may have any size.
   */

  static final SnapshotTree EMPTY = new SnapshotTree(new Leaf(new Entry[0]));

  private static final int WIDTH = 32;
  private static final int LEAST = WIDTH / 4;

  private final Node root;

  private SnapshotTree(Node root) {
    this.root = root;
  }

  private sealed interface Node {
    /** The number of entries below. */
    int count();

    /** The number of entries or children. */
    int width();

    Bytes firstKey();
  }

  private record Leaf(Entry[] entries) implements Node {
    @Override
    public int count() {
      return entries.length;
    }

    @Override
    public int width() {
      return entries.length;
    }

    @Override
    public Bytes firstKey() {
      return entries[0].key();
    }
  }

  private record Inner(Node[] children, int count) implements Node {
    static Inner of(Node[] children) {
      int count = 0;
      for (Node child : children) {
        count += child.count();
      }
      return new Inner(children, count);
    }

    @Override
    public int width() {
      return children.length;
    }

    @Override
    public Bytes firstKey() {
      return children[0].firstKey();
    }

    /**
     * The position of the child whose keys include {@code key}, or the first one if it precedes
     * all.
     */
    int childFor(Bytes key) {
      int low = 1;
      int high = children.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (children[middle].firstKey().compareTo(key) <= 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low - 1;
    }
  }

  /** Creates a map of {@code entries}, sorted by key without duplicates. */
  static SnapshotTree ofSorted(List<Entry> entries) {
    if (entries.isEmpty()) {
      return EMPTY;
    }
    int perNode = WIDTH * 3 / 4;
    Node[] level = new Node[(entries.size() + perNode - 1) / perNode];
    for (int i = 0; i < level.length; i++) {
      int end = Math.min(entries.size(), (i + 1) * perNode);
      level[i] = new Leaf(entries.subList(i * perNode, end).toArray(Entry[]::new));
    }
    while (level.length > 1) {
      Node[] upper = new Node[(level.length + perNode - 1) / perNode];
      for (int i = 0; i < upper.length; i++) {
        int end = Math.min(level.length, (i + 1) * perNode);
        upper[i] = Inner.of(Arrays.copyOfRange(level, i * perNode, end));
      }
      level = upper;
    }
    return new SnapshotTree(level[0]);
  }

  int size() {
    return root.count();
  }

  /** The size of all values in bytes; walks through them. */
  long bytes() {
    long bytes = 0;
    for (Iterator<Entry> all = all(); all.hasNext(); ) {
      bytes += all.next().value().length();
    }
    return bytes;
  }

  /** The entry of {@code key}, or null. */
  @Nullable Entry get(Bytes key) {
    Node node = root;
    while (node instanceof Inner inner) {
      node = inner.children[inner.childFor(key)];
    }
    Entry[] entries = ((Leaf) node).entries;
    int at = position(entries, key);
    return at >= 0 ? entries[at] : null;
  }

  /** The same map with {@code entry} under its key. */
  SnapshotTree with(Entry entry) {
    Node[] replaced = put(root, entry);
    return new SnapshotTree(replaced.length == 1 ? replaced[0] : Inner.of(replaced));
  }

  /** The same map without {@code key}; this one if it does not have it. */
  SnapshotTree without(Bytes key) {
    Node changed = remove(root, key);
    if (changed == root) {
      return this;
    }
    if (changed.count() == 0) {
      return EMPTY;
    }
    while (changed instanceof Inner inner && inner.children.length == 1) {
      changed = inner.children[0];
    }
    return new SnapshotTree(changed);
  }

  /** The number of entries in {@code range}. */
  int count(KeyRange range) {
    int end = range.end().isEmpty() ? size() : rank(range.end());
    return Math.max(0, end - rank(range.start()));
  }

  /** The number of entries before {@code key}. */
  int rank(Bytes key) {
    int before = 0;
    Node node = root;
    while (node instanceof Inner inner) {
      int child = inner.childFor(key);
      for (int i = 0; i < child; i++) {
        before += inner.children[i].count();
      }
      node = inner.children[child];
    }
    int at = position(((Leaf) node).entries, key);
    return before + (at >= 0 ? at : -at - 1);
  }

  /** The entries whose keys lie in {@code range}, in order. */
  Cursor cursor(KeyRange range) {
    return new Cursor(this, range);
  }

  /** All entries, in order. */
  Iterator<Entry> all() {
    return iterator(new KeyRange(Bytes.EMPTY, Bytes.EMPTY));
  }

  /** The entries whose keys lie in {@code range}, in order. */
  Iterator<Entry> iterator(KeyRange range) {
    Cursor cursor = cursor(range);
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return cursor.hasNext();
      }

      @Override
      public Entry next() throws NoSuchElementException {
        return cursor.next();
      }
    };
  }

  private static int position(Entry[] entries, Bytes key) {
    int low = 0;
    int high = entries.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = entries[middle].key().compareTo(key);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -low - 1;
  }

  /** The node with the entry, or two nodes if it grew too wide. */
  private static Node[] put(Node node, Entry entry) {
    switch (node) {
      case Leaf leaf -> {
        int at = position(leaf.entries, entry.key());
        if (at >= 0) {
          Entry[] entries = leaf.entries.clone();
          entries[at] = entry;
          return new Node[] {new Leaf(entries)};
        }
        return cut(insert(leaf.entries, -at - 1, entry));
      }
      case Inner inner -> {
        int at = inner.childFor(entry.key());
        Node[] below = put(inner.children[at], entry);
        Node[] children = splice(inner.children, at, at + 1, below);
        if (children.length <= WIDTH) {
          return new Node[] {Inner.of(children)};
        }
        int half = children.length / 2;
        return new Node[] {
          Inner.of(Arrays.copyOfRange(children, 0, half)),
          Inner.of(Arrays.copyOfRange(children, half, children.length))
        };
      }
    }
  }

  private static Node[] cut(Entry[] entries) {
    if (entries.length <= WIDTH) {
      return new Node[] {new Leaf(entries)};
    }
    // splits evenly, for sequential and for random keys
    int half = entries.length / 2;
    return new Node[] {
      new Leaf(Arrays.copyOfRange(entries, 0, half)),
      new Leaf(Arrays.copyOfRange(entries, half, entries.length))
    };
  }

  private static Entry[] insert(Entry[] entries, int at, Entry entry) {
    Entry[] more = new Entry[entries.length + 1];
    System.arraycopy(entries, 0, more, 0, at);
    more[at] = entry;
    System.arraycopy(entries, at, more, at + 1, entries.length - at);
    return more;
  }

  private static Node remove(Node node, Bytes key) {
    switch (node) {
      case Leaf leaf -> {
        int at = position(leaf.entries, key);
        if (at < 0) {
          return leaf;
        }
        Entry[] fewer = new Entry[leaf.entries.length - 1];
        System.arraycopy(leaf.entries, 0, fewer, 0, at);
        System.arraycopy(leaf.entries, at + 1, fewer, at, fewer.length - at);
        return new Leaf(fewer);
      }
      case Inner inner -> {
        int at = inner.childFor(key);
        Node child = remove(inner.children[at], key);
        if (child == inner.children[at]) {
          return inner;
        }
        if (inner.children.length == 1) {
          return Inner.of(child.count() == 0 ? new Node[0] : new Node[] {child});
        }
        if (child.width() >= LEAST) {
          return Inner.of(splice(inner.children, at, at + 1, new Node[] {child}));
        }
        // too small: merged with a sibling into one node or two even ones
        int left = at > 0 ? at - 1 : at;
        Node first = at > 0 ? inner.children[left] : child;
        Node second = at > 0 ? child : inner.children[at + 1];
        return Inner.of(splice(inner.children, left, left + 2, join(first, second)));
      }
    }
  }

  private static Node[] join(Node first, Node second) {
    if (first instanceof Leaf left && second instanceof Leaf right) {
      Entry[] all = Arrays.copyOf(left.entries, left.entries.length + right.entries.length);
      System.arraycopy(right.entries, 0, all, left.entries.length, right.entries.length);
      return all.length == 0 ? new Node[0] : cut(all);
    }
    Node[] left = ((Inner) first).children;
    Node[] right = ((Inner) second).children;
    Node[] all = splice(left, left.length, left.length, right);
    if (all.length <= WIDTH) {
      return new Node[] {Inner.of(all)};
    }
    int half = all.length / 2;
    return new Node[] {
      Inner.of(Arrays.copyOfRange(all, 0, half)),
      Inner.of(Arrays.copyOfRange(all, half, all.length))
    };
  }

  private static Node[] splice(Node[] nodes, int from, int to, Node[] between) {
    Node[] result = new Node[nodes.length - (to - from) + between.length];
    System.arraycopy(nodes, 0, result, 0, from);
    System.arraycopy(between, 0, result, from, between.length);
    System.arraycopy(nodes, to, result, from + between.length, nodes.length - to);
    return result;
  }

  /** Iterates over a range of a tree. Not safe for use by several threads at once. */
  static final class Cursor {
    private final Inner[] path = new Inner[12];
    private final int[] at = new int[12];
    private final Bytes end;
    private int depth;
    private Entry[] leaf;
    private int next;

    private Cursor(SnapshotTree tree, KeyRange range) {
      end = range.end();
      Node node = tree.root;
      while (node instanceof Inner inner) {
        path[depth] = inner;
        at[depth] = inner.childFor(range.start());
        node = inner.children[at[depth]];
        depth++;
      }
      leaf = ((Leaf) node).entries;
      int position = position(leaf, range.start());
      next = position >= 0 ? position : -position - 1;
      advance();
    }

    /** Whether there is a next entry. */
    boolean hasNext() {
      return next < leaf.length;
    }

    /** The next entry. */
    Entry next() {
      if (next >= leaf.length) {
        throw new NoSuchElementException();
      }
      Entry entry = leaf[next++];
      advance();
      return entry;
    }

    /** Moves to the next leaf at the end of a leaf, and to the end after the range. */
    private void advance() {
      while (next == leaf.length && climb()) {}
      if (next < leaf.length && !end.isEmpty() && leaf[next].key().compareTo(end) >= 0) {
        leaf = new Entry[0];
        next = 0;
        depth = 0;
      }
    }

    private boolean climb() {
      int level = depth - 1;
      while (level >= 0 && at[level] == path[level].children.length - 1) {
        level--;
      }
      if (level < 0) {
        return false;
      }
      at[level]++;
      Node node = path[level].children[at[level]];
      for (int below = level + 1; below < depth; below++) {
        path[below] = (Inner) node;
        at[below] = 0;
        node = path[below].children[0];
      }
      leaf = ((Leaf) node).entries;
      next = 0;
      return true;
    }
  }
}
