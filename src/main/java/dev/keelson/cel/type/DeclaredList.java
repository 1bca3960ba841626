package dev.keelson.cel.type;

import java.util.AbstractList;
import java.util.List;

/** A list whose type says how it is compared and joined. */
abstract class DeclaredList extends AbstractList<Object> {

  /** Its type. */
  abstract DataType type();

  /** Elements that were joined with a list of that type. */
  static DeclaredList of(DataType type, List<Object> items) {
    return new Joined(type, items);
  }

  private static final class Joined extends DeclaredList {
    private final DataType type;
    private final List<Object> items;

    Joined(DataType type, List<Object> items) {
      this.type = type;
      this.items = List.copyOf(items);
    }

    @Override
    DataType type() {
      return type;
    }

    @Override
    public Object get(int index) {
      return items.get(index);
    }

    @Override
    public int size() {
      return items.size();
    }
  }
}
