package dev.keelson.schema.validation;

import dev.keelson.object.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Values that were met. Whether one comes again is found without a look at all others: clients
 * choose how long their lists are. What is absent counts as a value, too.
 */
final class Seen {

  private final Set<Object> met = new HashSet<>();

  /** The values of {@code field} in all elements of {@code list}. */
  static Seen of(Value list, String field) {
    Seen seen = new Seen();
    for (Value each : list) {
      seen.add(each.get(field).node());
    }
    return seen;
  }

  /** Adds a value; whether it was not there. */
  boolean add(@Nullable Node value) {
    return met.add(key(value));
  }

  /** Adds several values that count as one; whether these were not there together. */
  boolean addAll(Value... values) {
    List<Object> keys = new ArrayList<>(values.length);
    for (Value value : values) {
      keys.add(key(value.node()));
    }
    return met.add(keys);
  }

  boolean has(@Nullable Node value) {
    return met.contains(key(value));
  }

  /**
   * What stands for a value as a key. Texts are kept as strings: a hash map puts those in order
   * where hashes are the same, which a client can see to.
   */
  static Object key(@Nullable Node value) {
    return switch (value) {
      case null -> Node.Null.NULL;
      case Node.Text text -> text.value();
      default -> value;
    };
  }
}
