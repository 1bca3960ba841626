package dev.keelson.schema.validation;

import dev.keelson.object.Node;
import dev.keelson.work.Turn;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A set of values, to find duplicates in time linear to the length of a list, which clients choose.
 * An absent value counts as a value.
 */
public final class ValueSet {

  private final Set<Object> values = new HashSet<>();

  /** Adds a value and returns whether it was absent. */
  public boolean add(@Nullable Node value) {
    Turn.pass();
    return values.add(key(value));
  }

  /** Adds a tuple of values and returns whether it was absent. */
  public boolean addTuple(@Nullable Node first, @Nullable Node second) {
    return values.add(tuple(first, second));
  }

  /** Whether the value was added. */
  public boolean contains(@Nullable Node value) {
    return values.contains(key(value));
  }

  /** The key of a value in a hash table. Texts are strings there, which cache their hashes. */
  public static Object key(@Nullable Node value) {
    return switch (value) {
      case null -> Node.Null.NULL;
      case Node.Text text -> text.value();
      default -> value;
    };
  }

  /** Several values as the key of a hash table. */
  public static Node tuple(@Nullable Node... parts) {
    List<Node> all = new ArrayList<>(parts.length);
    for (Node part : parts) {
      all.add(part == null ? Node.Null.NULL : part);
    }
    return new Node.Items(all);
  }
}
