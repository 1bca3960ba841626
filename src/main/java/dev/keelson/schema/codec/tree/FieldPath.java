package dev.keelson.schema.codec.tree;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Where a reader is in a document; kept as it goes, spelled out only for a message. */
public final class FieldPath {

  private static final int FIELD = -1;
  private static final int KEY = -2;

  private @Nullable String[] names = new String[16];

  /** An index into a list, or what {@link #names} holds at the same place. */
  private int[] kinds = new int[16];

  private int depth;

  public void field(String name) {
    push(name, FIELD);
  }

  void key(String name) {
    push(name, KEY);
  }

  void index(int index) {
    push(null, index);
  }

  public void pop() {
    depth--;
  }

  private void push(@Nullable String name, int kind) {
    if (depth == kinds.length) {
      names = Arrays.copyOf(names, depth * 2);
      kinds = Arrays.copyOf(kinds, depth * 2);
    }
    names[depth] = name;
    kinds[depth++] = kind;
  }

  /** The whole path with {@code last}, as strict decoding reports it: {@code spec.ports[0].foo}. */
  String with(String last) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < depth; i++) {
      if (kinds[i] >= 0) {
        path.append('[').append(kinds[i]).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(names[i]);
      }
    }
    return path.append(path.isEmpty() ? "" : ".").append(last).toString();
  }

  /** The fields alone, as Go's type errors tell it: {@code spec.ports.port}. */
  public String fields() {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < depth; i++) {
      if (kinds[i] == FIELD) {
        path.append(path.isEmpty() ? "" : ".").append(names[i]);
      }
    }
    return path.toString();
  }
}
