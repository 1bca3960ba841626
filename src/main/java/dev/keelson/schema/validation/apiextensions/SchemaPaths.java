package dev.keelson.schema.validation.apiextensions;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the simple JSON paths of {@code fieldPath} and {@code selectableFields} in a schema
 * (source: apiextensions-apiserver, ValidFieldPath).
 */
final class SchemaPaths {

  /** Whether names in brackets are understood. */
  enum Brackets {
    ALLOWED,
    FORBIDDEN
  }

  /**
   * Where a path leads.
   *
   * @param steps as a field path shows them: {@code .name} or {@code [key]}
   * @param schema of the field; null if any value is allowed there
   */
  record Target(List<String> steps, @Nullable MapNode schema) {

    String path() {
      String text = String.join("", steps);
      return text.startsWith(".") ? text.substring(1) : text;
    }

    /** Whether the first step is the field {@code name}. */
    boolean startsAt(String name) {
      return !steps.isEmpty() && steps.getFirst().equals("." + name);
    }
  }

  /** A path that leads nowhere. */
  static final class InvalidPathException extends Exception {
    private static final long serialVersionUID = 1;

    private InvalidPathException(String problem) {
      super(problem, null, false, false);
    }

    /** What is wrong with the path. */
    String problem() {
      return String.valueOf(getMessage());
    }
  }

  private final List<String> tokens;
  private final List<String> steps = new ArrayList<>();
  private @Nullable MapNode schema;
  private int next;

  private SchemaPaths(String path, MapNode schema) {
    this.tokens = tokens(path);
    this.schema = schema;
  }

  /**
   * Resolves a path.
   *
   * @param schema the tree of a structural schema
   */
  static Target resolve(String path, MapNode schema, Brackets brackets)
      throws InvalidPathException {
    return new SchemaPaths(path, schema).resolve(brackets);
  }

  private Target resolve(Brackets brackets) throws InvalidPathException {
    while (next < tokens.size()) {
      String token = tokens.get(next++);
      switch (token) {
        case "[" -> {
          if (brackets == Brackets.FORBIDDEN) {
            throw new InvalidPathException("array notation is not allowed");
          }
          step(unquoted(more()));
          String end = more();
          if (!end.equals("]")) {
            throw new InvalidPathException("expected ] but got " + end);
          }
        }
        case "." -> step(more());
        default -> throw new InvalidPathException("expected [ or . but got: " + token);
      }
    }
    return new Target(steps, schema);
  }

  private String more() throws InvalidPathException {
    if (next == tokens.size()) {
      throw new InvalidPathException("unexpected end of JSON path");
    }
    return tokens.get(next++);
  }

  private void step(String name) throws InvalidPathException {
    MapNode here = schema;
    if (here != null && !here.map("properties").isEmpty()) {
      if (!(here.map("properties").get(name) instanceof MapNode below)) {
        throw new InvalidPathException("does not refer to a valid field");
      }
      steps.add("." + name);
      schema = below;
    } else if (here != null && here.has("additionalProperties")) {
      steps.add("[" + name + "]");
      Node values = here.get("additionalProperties");
      schema = values instanceof MapNode below ? below : null;
    } else {
      throw new InvalidPathException("does not refer to a valid field");
    }
  }

  private static String unquoted(String token) throws InvalidPathException {
    if (token.length() < 2 || !token.startsWith("'") || !token.endsWith("'")) {
      throw new InvalidPathException("expected single quoted string but got " + token);
    }
    StringBuilder text = new StringBuilder();
    int end = token.length() - 1;
    int i = 1;
    while (i < end) {
      char c = token.charAt(i++);
      if (c == '\\' && i < end) {
        c = unescaped(token.charAt(i++));
      }
      text.append(c);
    }
    return text.toString();
  }

  private static char unescaped(char escape) throws InvalidPathException {
    return switch (escape) {
      case 'a' -> 7;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'v' -> 11;
      case '\'', '\\' -> escape;
      default ->
          throw new InvalidPathException("invalid string literal: invalid escape char \\" + escape);
    };
  }

  /** The delimiters and what is between them; a string in single quotes is one token. */
  private static List<String> tokens(String path) {
    List<String> tokens = new ArrayList<>();
    int begin = 0;
    while (begin < path.length()) {
      int end = end(path, begin);
      tokens.add(path.substring(begin, end));
      begin = end;
    }
    return tokens;
  }

  private static int end(String path, int begin) {
    boolean quoted = path.charAt(begin) == '\'';
    for (int i = begin; i < path.length(); i++) {
      char c = path.charAt(i);
      if (quoted) {
        if (i > begin && c == '\'' && path.charAt(i - 1) != '\\') {
          return i + 1;
        }
      } else if (c == '.' || c == '[' || c == ']') {
        return i == begin ? i + 1 : i;
      }
    }
    return path.length();
  }
}
