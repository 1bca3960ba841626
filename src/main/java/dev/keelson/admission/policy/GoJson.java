package dev.keelson.admission.policy;

import java.util.Locale;

/** Strings in JSON as Go writes them: characters that HTML has a meaning for are escaped. */
final class GoJson {

  private GoJson() {}

  static String text(String value) {
    StringBuilder json = new StringBuilder(value.length() + 2).append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> json.append("\\\"");
        case '\\' -> json.append("\\\\");
        case '\n' -> json.append("\\n");
        case '\r' -> json.append("\\r");
        case '\t' -> json.append("\\t");
        case '\b' -> json.append("\\b");
        case '\f' -> json.append("\\f");
        default -> {
          boolean escaped =
              c < ' ' || c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029';
          json.append(escaped ? String.format(Locale.ROOT, "\\u%04x", (int) c) : c);
        }
      }
    }
    return json.append('"').toString();
  }
}
