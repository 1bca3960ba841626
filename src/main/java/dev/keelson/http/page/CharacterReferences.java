package dev.keelson.http.page;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The character references in a value of an attribute (HTML, section 13.5). */
final class CharacterReferences {

  private static final Pattern REFERENCE =
      Pattern.compile("&(?:#([0-9]{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z][a-zA-Z0-9]*));");

  private static final Map<String, String> NAMED =
      Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'");

  private CharacterReferences() {}

  /** The value without references; null if it has one of another name than the five of XML. */
  static @Nullable String resolved(String value) {
    Matcher reference = REFERENCE.matcher(value);
    StringBuilder text = new StringBuilder();
    while (reference.find()) {
      String letter =
          reference.group(3) != null ? NAMED.get(reference.group(3)) : numbered(reference);
      if (letter == null) {
        return null;
      }
      reference.appendReplacement(text, Matcher.quoteReplacement(letter));
    }
    return reference.appendTail(text).toString();
  }

  private static String numbered(Matcher reference) {
    int number =
        reference.group(1) != null
            ? Integer.parseInt(reference.group(1))
            : Integer.parseInt(reference.group(2), 16);
    return Character.toString(Character.isValidCodePoint(number) ? number : 0xfffd);
  }

  /** The text as a value between quotes. */
  static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&#34;")
        .replace("'", "&#39;")
        .replace("\r", "&#13;");
  }
}
