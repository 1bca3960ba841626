package dev.keelson.schema.validation;

import dev.keelson.object.Node;
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
    return values.add(key(value));
  }

  /** Adds a tuple of values and returns whether it was absent. */
  public boolean addTuple(@Nullable Node first, @Nullable Node second) {
    return values.add(List.of(key(first), key(second)));
  }

  /** Whether the value was added. */
  public boolean contains(@Nullable Node value) {
    return values.contains(key(value));
  }

  /**
   * The key of a value in a hash table. Texts are strings there: a hash map orders strings whose
   * hashes collide, as a client can make them.
   */
  public static Object key(@Nullable Node value) {
    return switch (value) {
      case null -> Node.Null.NULL;
      case Node.Text text -> text.value();
      default -> value;
    };
  }
}
