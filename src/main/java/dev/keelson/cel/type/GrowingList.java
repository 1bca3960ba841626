package dev.keelson.cel.type;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.RandomAccess;

/**
 * An immutable list that can be continued cheaply, as macros such as {@code map} do: continuations
 * share the array of the first one. Used by one evaluation, so by one thread.
 */
final class GrowingList extends AbstractList<Object> implements RandomAccess {

  private final List<Object> shared;
  private final int size;

  private GrowingList(List<Object> shared) {
    this.shared = shared;
    this.size = shared.size();
  }

  /** The elements of both. */
  static List<Object> joined(List<?> left, List<?> right) {
    List<Object> items;
    // only the longest continuation may be continued in place
    if (left instanceof GrowingList list && list.size == list.shared.size()) {
      items = list.shared;
    } else {
      items = new ArrayList<>(Math.max(8, left.size() + right.size()));
      items.addAll(left);
    }
    items.addAll(List.copyOf(right));
    return new GrowingList(items);
  }

  @Override
  public Object get(int index) {
    if (index >= size) {
      throw new IndexOutOfBoundsException(index);
    }
    return shared.get(index);
  }

  @Override
  public int size() {
    return size;
  }
}
