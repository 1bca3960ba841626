package dev.keelson.cel.type;

import dev.keelson.object.Node;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** A JSON array as a value. Used by one evaluation, so by one thread. */
final class TreeList extends DeclaredList implements RandomAccess {

  private final List<Node> items;
  private final DataType type;
  private final Reader reader;
  private final @Nullable Object[] read;

  TreeList(Node.Items array, DataType type, Reader reader) {
    this.items = array.values();
    this.type = type;
    this.reader = reader;
    this.read = new Object[items.size()];
  }

  @Override
  DataType type() {
    return type;
  }

  /** The trees of the elements. */
  List<Node> trees() {
    return items;
  }

  @Override
  public Object get(int index) {
    Object known = read[index];
    if (known == null) {
      known = reader.value(items.get(index), type.items());
      read[index] = known;
    }
    return known;
  }

  @Override
  public int size() {
    return items.size();
  }
}
