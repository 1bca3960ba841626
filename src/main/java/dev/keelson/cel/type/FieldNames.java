package dev.keelson.cel.type;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * Names of fields as identifiers of CEL (source: Kubernetes' apiserver/pkg/cel/escaping.go): {@code
 * __underscores__}, {@code __dot__}, {@code __dash__}, {@code __slash__}, and reserved words
 * between double underscores.
 */
public final class FieldNames {

  private static final Set<String> RESERVED =
      Set.of(
          "true",
          "false",
          "null",
          "in",
          "as",
          "break",
          "const",
          "continue",
          "else",
          "for",
          "function",
          "if",
          "import",
          "let",
          "loop",
          "package",
          "namespace",
          "return",
          "var",
          "void",
          "while");

  /** Names that need no change; bounded, since names come from declared schemas. */
  private static final int MOST_KNOWN = 4096;

  private static final Map<String, String> ESCAPED = new ConcurrentHashMap<>();

  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private FieldNames() {}

  /** Whether a field can be named in expressions. */
  public static boolean isNameable(String property) {
    return IDENTIFIER.matcher(escape(property)).matches();
  }

  /** The identifier of a field; not an identifier if the field cannot be named. */
  public static String escape(String property) {
    String known = ESCAPED.get(property);
    if (known == null) {
      known = escaped(property);
      if (ESCAPED.size() < MOST_KNOWN) {
        ESCAPED.put(property, known);
      }
    }
    return known;
  }

  private static String escaped(String property) {
    if (RESERVED.contains(property)) {
      return "__" + property + "__";
    }
    return property
        .replace("__", "__underscores__")
        .replace(".", "__dot__")
        .replace("-", "__dash__")
        .replace("/", "__slash__");
  }

  /** The field that an identifier names. */
  public static String unescape(String identifier) {
    if (!identifier.contains("__")) {
      return identifier;
    }
    if (identifier.startsWith("__") && identifier.endsWith("__") && identifier.length() > 4) {
      String word = identifier.substring(2, identifier.length() - 2);
      if (RESERVED.contains(word)) {
        return word;
      }
    }
    StringBuilder text = new StringBuilder();
    int from = 0;
    while (from < identifier.length()) {
      int begin = identifier.indexOf("__", from);
      int end = begin < 0 ? -1 : identifier.indexOf("__", begin + 2);
      String meaning = end < 0 ? "" : meaning(identifier.substring(begin + 2, end));
      if (meaning.isEmpty()) {
        return text.append(identifier, from, identifier.length()).toString();
      }
      text.append(identifier, from, begin).append(meaning);
      from = end + 2;
    }
    return text.toString();
  }

  private static String meaning(String word) {
    return switch (word) {
      case "underscores" -> "__";
      case "dot" -> ".";
      case "dash" -> "-";
      case "slash" -> "/";
      default -> "";
    };
  }
}
