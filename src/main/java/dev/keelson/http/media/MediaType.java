package dev.keelson.http.media;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A media range of an Accept header, or the type of a body (RFC 9110, sections 8.3.1 and 12.5.1).
 *
 * @param type for example {@code application}, lower case; may be {@code *}
 * @param subtype for example {@code json}, lower case; may be {@code *}
 * @param parameters by lower-case name, without {@code q}
 * @param quality the value of {@code q}, from 0 (not acceptable) to 1, the default if it is absent
 *     or malformed
 */
public record MediaType(
    String type, String subtype, Map<String, String> parameters, double quality) {

  /** Orders by quality, then by specificity, as in Kubernetes. */
  private static final Comparator<MediaType> PREFERENCE =
      Comparator.<MediaType>comparingDouble(MediaType::quality)
          .reversed()
          .thenComparingInt(MediaType::wildcards);

  public MediaType {
    parameters = Map.copyOf(parameters);
  }

  /**
   * The ranges of Accept headers, the best first and else in their order; those with quality 0 are
   * among them. An empty header accepts everything, malformed ranges are skipped. Quoted separators
   * are not supported, since no served type has any.
   *
   * @param values the values of the header's lines
   */
  public static List<MediaType> accepted(List<String> values) {
    List<MediaType> ranges = new ArrayList<>();
    boolean blank = true;
    for (String value : values) {
      for (String element : value.split(",", -1)) {
        blank &= element.isBlank();
        parse(element).ifPresent(ranges::add);
      }
    }
    if (blank) {
      return List.of(new MediaType("*", "*", Map.of(), 1));
    }
    ranges.sort(PREFERENCE);
    return ranges;
  }

  /** The acceptable ranges of an Accept header, in the order of {@link #accepted}. */
  public static List<MediaType> wanted(String accept) {
    return accepted(List.of(accept)).stream().filter(range -> range.quality > 0).toList();
  }

  /** Reads one range or type; empty if it is malformed. */
  public static Optional<MediaType> parse(String text) {
    String[] parts = text.split(";", -1);
    String full = parts[0].strip().toLowerCase(Locale.ROOT);
    String[] names = full.equals("*") ? new String[] {"*", "*"} : full.split("/", -1);
    if (names.length != 2 || names[0].isEmpty() || names[1].isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> parameters = new HashMap<>();
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals > 0) {
        String name = parts[i].substring(0, equals).strip().toLowerCase(Locale.ROOT);
        parameters.put(name, unquoted(parts[i].substring(equals + 1).strip()));
      }
    }
    double quality = quality(parameters.remove("q"));
    return Optional.of(new MediaType(names[0], names[1], parameters, quality));
  }

  /** The type without parameters. */
  public String essence() {
    return type + "/" + subtype;
  }

  /** The value of a parameter, or empty. */
  public String parameter(String name) {
    return parameters.getOrDefault(name, "");
  }

  /** Whether the type {@code type/subtype} is in this range, ignoring parameters. */
  public boolean includes(String otherType, String otherSubtype) {
    return (type.equals("*") || type.equals(otherType))
        && (subtype.equals("*") || subtype.equals(otherSubtype));
  }

  /** The number of wildcards: 0 for {@code a/b}, 1 for {@code a/*}, 2 for all. */
  int wildcards() {
    return type.equals("*") ? 2 : subtype.equals("*") ? 1 : 0;
  }

  private static String unquoted(String value) {
    return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
        ? value.substring(1, value.length() - 1)
        : value;
  }

  private static double quality(@Nullable String text) {
    if (text == null) {
      return 1;
    }
    try {
      double quality = Double.parseDouble(text);
      return quality >= 0 && quality <= 1 ? quality : 1;
    } catch (NumberFormatException malformed) {
      return 1;
    }
  }
}
