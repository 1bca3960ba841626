package dev.keelson.cel.schema;

import org.jspecify.annotations.Nullable;

/**
 * The path of a value in its object, as errors have it.
 *
 * @param parent null for the root
 * @param step the last part: {@code .name}, {@code [index]} or {@code [key]}
 */
record Place(@Nullable Place parent, String step) {

  /** The root, which Kubernetes names so. */
  static final Place ROOT = new Place(null, "<nil>");

  /** A value whose path begins with that of something else. */
  Place at(String path) {
    return new Place(this, path);
  }

  Place field(String name) {
    return new Place(this, "." + name);
  }

  Place key(String key) {
    return new Place(this, "[" + key + "]");
  }

  Place index(int index) {
    return new Place(this, "[" + index + "]");
  }

  @Override
  public String toString() {
    if (parent == null) {
      return step;
    }
    StringBuilder text = new StringBuilder();
    append(text);
    return text.charAt(0) == '.' ? text.substring(1) : text.toString();
  }

  private void append(StringBuilder text) {
    if (parent != null) {
      parent.append(text);
      text.append(step);
    }
  }
}
