package dev.keelson.schema.structural.validation;

import dev.keelson.work.Turn;
import org.jspecify.annotations.Nullable;

/** Where a value is in an object; spelled out only for a message. Immutable. */
final class Place {

  /** The whole value that is validated. */
  static final Place ROOT = new Place(null, "", -1, false);

  private final @Nullable Place parent;
  private final String name;
  private final int index;
  private final boolean key;

  private Place(@Nullable Place parent, String name, int index, boolean key) {
    Turn.pass();
    this.parent = parent;
    this.name = name;
    this.index = index;
    this.key = key;
  }

  /** A field: {@code spec.name}. */
  Place field(String field) {
    return new Place(this, field, -1, false);
  }

  /** An entry of a map: {@code spec.labels[name]}. */
  Place key(String entry) {
    return new Place(this, entry, -1, true);
  }

  /** An element of an array: {@code spec.ports[0]}. */
  Place index(int position) {
    return new Place(this, "", position, false);
  }

  /** The path, empty for the root. */
  String text() {
    StringBuilder path = new StringBuilder();
    append(path);
    return path.toString();
  }

  private void append(StringBuilder path) {
    if (parent == null) {
      return;
    }
    parent.append(path);
    if (index >= 0) {
      path.append('[').append(index).append(']');
    } else if (key) {
      path.append('[').append(name).append(']');
    } else {
      path.append(path.isEmpty() ? "" : ".").append(name);
    }
  }
}
