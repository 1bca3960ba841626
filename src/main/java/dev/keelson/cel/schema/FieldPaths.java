package dev.keelson.cel.schema;

import dev.keelson.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The {@code fieldPath} of a rule: fields and keys below the rule's place, as in {@code
 * .spec.names['a.b']} (source: ValidFieldPath).
 */
final class FieldPaths {

  private final List<String> tokens;
  private int next;

  private FieldPaths(String path) {
    this.tokens = tokens(path);
  }

  /** The path as errors have it; empty if it is empty or wrong. */
  static String normalized(String path, StructuralSchema schema) {
    return path.isEmpty() ? "" : parse(path, schema).orElse("");
  }

  /** Whether a path leads to a declared field. */
  static boolean isValid(String path, StructuralSchema schema) {
    return parse(path, schema).isPresent();
  }

  private static Optional<String> parse(String path, StructuralSchema schema) {
    return Optional.ofNullable(new FieldPaths(path).walk(schema));
  }

  private @Nullable String walk(StructuralSchema from) {
    StringBuilder path = new StringBuilder();
    StructuralSchema place = from;
    while (next < tokens.size()) {
      String name = step();
      if (name == null) {
        return null;
      }
      if (!place.properties().isEmpty()) {
        place = place.properties().get(name);
        path.append(path.isEmpty() ? "" : ".").append(name);
      } else {
        place = place.additionalProperties();
        path.append('[').append(name).append(']');
      }
      if (place == null) {
        return null;
      }
    }
    return path.toString();
  }

  /** The name of {@code .name} or {@code ['name']}. */
  private @Nullable String step() {
    String first = tokens.get(next++);
    String name = next < tokens.size() ? tokens.get(next++) : null;
    if (name == null || first.equals(".")) {
      return name;
    }
    boolean closed = next < tokens.size() && tokens.get(next++).equals("]");
    boolean quoted = name.length() >= 2 && name.startsWith("'") && name.endsWith("'");
    return first.equals("[") && closed && quoted
        ? unescaped(name.substring(1, name.length() - 1))
        : null;
  }

  private static @Nullable String unescaped(String text) {
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\' || i + 1 == text.length()) {
        plain.append(c);
        continue;
      }
      int place = "abfnrtv'\\".indexOf(text.charAt(++i));
      if (place < 0) {
        return null;
      }
      plain.append("\u0007\b\f\n\r\t\u000b'\\".charAt(place));
    }
    return plain.toString();
  }

  /** The separators {@code . [ ]}, quoted strings and what is between them. */
  private static List<String> tokens(String path) {
    List<String> tokens = new ArrayList<>();
    int begin = 0;
    while (begin < path.length()) {
      int end = path.charAt(begin) == '\'' ? quoteEnd(path, begin) : wordEnd(path, begin);
      tokens.add(path.substring(begin, end));
      begin = end;
    }
    return tokens;
  }

  private static int quoteEnd(String path, int begin) {
    for (int i = begin + 1; i < path.length(); i++) {
      if (path.charAt(i) == '\'' && path.charAt(i - 1) != '\\') {
        return i + 1;
      }
    }
    return path.length();
  }

  private static int wordEnd(String path, int begin) {
    int end = begin;
    while (end < path.length() && ".[]".indexOf(path.charAt(end)) < 0) {
      end++;
    }
    return end == begin ? begin + 1 : end;
  }
}
