package dev.keelson.schema.structural;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Collects the paths of pruned fields as field validation reports them: {@code spec.a[0].b}.
 * Limited in number and length, so that the response stays small. Used by one thread.
 */
public final class UnknownFields {

  private static final int MOST = 100;
  private static final int MOST_CHARACTERS = 1 << 16;

  private final List<String> steps = new ArrayList<>();
  private final List<String> paths = new ArrayList<>();
  private int characters;

  void enter(String key) {
    steps.add(steps.isEmpty() ? key : "." + key);
  }

  void enter(int index) {
    steps.add("[" + index + "]");
  }

  void leave() {
    steps.removeLast();
  }

  /** Adds the field {@code name} of the object where the walk is. */
  void add(String name) {
    if (paths.size() < MOST && characters < MOST_CHARACTERS) {
      String path = String.join("", steps) + (steps.isEmpty() ? "" : ".") + name;
      paths.add(path);
      characters += path.length();
    }
  }

  /** The paths in alphabetical order. */
  public List<String> sorted() {
    List<String> sorted = new ArrayList<>(paths);
    Collections.sort(sorted);
    return sorted;
  }
}
