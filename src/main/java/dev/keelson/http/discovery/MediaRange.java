package dev.keelson.http.discovery;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One range of an Accept header (RFC 9110, section 12.5.1).
 *
 * @param type the type in lower case, or {@code *}
 * @param subtype the subtype in lower case, or {@code *}
 * @param parameters the parameters but {@code q}; names in lower case
 * @param quality the weight, from 0 (not wanted) to 1
 */
record MediaRange(String type, String subtype, Map<String, String> parameters, double quality) {

  private static final Comparator<MediaRange> BEST_FIRST =
      Comparator.<MediaRange>comparingDouble(MediaRange::quality)
          .reversed()
          .thenComparing((MediaRange range) -> range.type.equals("*"))
          .thenComparing(range -> range.subtype.equals("*"));

  MediaRange {
    parameters = Map.copyOf(parameters);
  }

  /**
   * The ranges of {@code accept} that are wanted at all, the best first and else in the order of
   * the header. An empty header accepts everything; what is malformed is left out. Separators
   * inside quotes are not understood, since no type that is served has any.
   */
  static List<MediaRange> parse(String accept) {
    List<MediaRange> ranges = new ArrayList<>();
    for (String element : (accept.isBlank() ? "*/*" : accept).split(",", -1)) {
      String[] parts = element.split(";", -1);
      String[] names = parts[0].strip().toLowerCase(Locale.ROOT).split("/", -1);
      if (names.length != 2 || names[0].isEmpty() || names[1].isEmpty()) {
        continue;
      }
      Map<String, String> parameters = new HashMap<>();
      for (int i = 1; i < parts.length; i++) {
        int equals = parts[i].indexOf('=');
        if (equals > 0) {
          parameters.put(
              parts[i].substring(0, equals).strip().toLowerCase(Locale.ROOT),
              unquoted(parts[i].substring(equals + 1).strip()));
        }
      }
      double quality = quality(parameters.remove("q"));
      if (quality > 0) {
        ranges.add(new MediaRange(names[0], names[1], parameters, quality));
      }
    }
    ranges.sort(BEST_FIRST);
    return ranges;
  }

  /** Whether the type {@code type/subtype} is in this range, whatever the parameters say. */
  boolean includes(String otherType, String otherSubtype) {
    return (type.equals("*") || type.equals(otherType))
        && (subtype.equals("*") || subtype.equals(otherSubtype));
  }

  /** The value of a parameter, or empty. */
  String parameter(String name) {
    return parameters.getOrDefault(name, "");
  }

  private static double quality(@Nullable String text) {
    if (text == null) {
      return 1;
    }
    try {
      return Math.clamp(Double.parseDouble(text), 0.0, 1.0);
    } catch (NumberFormatException malformed) {
      return 1;
    }
  }

  private static String unquoted(String value) {
    return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
        ? value.substring(1, value.length() - 1)
        : value;
  }
}
