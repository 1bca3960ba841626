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

  /** How many of the first fields {@link #fields} leaves out. */
  private int hidden;

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
    String path = text();
    return path + (path.isEmpty() ? "" : ".") + last;
  }

  /** The whole path: {@code spec.ports[0]}. */
  String text() {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < depth; i++) {
      if (kinds[i] >= 0) {
        path.append('[').append(kinds[i]).append(']');
      } else {
        path.append(path.isEmpty() ? "" : ".").append(names[i]);
      }
    }
    return path.toString();
  }

  /** Makes {@link #fields} begin at the current place, until {@link #show}. */
  void hide() {
    hidden = depth;
  }

  /** Returns to the place of {@link #hide}, from wherever an error left the path. */
  void show() {
    depth = hidden;
    hidden = 0;
  }

  /** Whether this is the place of the field {@code second} of the root's field {@code first}. */
  boolean is(String first, String second) {
    return depth == 2 && first.equals(names[0]) && second.equals(names[1]);
  }

  /** The fields alone, as Go's type errors tell it: {@code spec.ports.port}. */
  public String fields() {
    StringBuilder path = new StringBuilder();
    for (int i = hidden; i < depth; i++) {
      if (kinds[i] == FIELD) {
        path.append(path.isEmpty() ? "" : ".").append(names[i]);
      }
    }
    return path.toString();
  }
}
