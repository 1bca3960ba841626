package dev.keelson.http.media;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A media range of an Accept header, or the type of a body.
 *
 * @param type for example {@code application}, lower case; may be {@code *}
 * @param subtype for example {@code json}, lower case; may be {@code *}
 * @param parameters by lower-case name, in order, without {@code q}
 * @param quality the value of {@code q}, 1 if absent
 */
record MediaType(String type, String subtype, Map<String, String> parameters, double quality) {

  /** Reads one range; what cannot be read becomes a type that nothing matches. */
  static MediaType parse(String text) {
    String[] parts = text.split(";", -1);
    String full = parts[0].trim().toLowerCase(Locale.ROOT);
    int slash = full.indexOf('/');
    String type = slash < 0 ? full : full.substring(0, slash);
    String subtype = slash < 0 ? "" : full.substring(slash + 1);
    if (full.equals("*")) {
      subtype = "*";
    }
    Map<String, String> parameters = new LinkedHashMap<>();
    double quality = 1;
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals > 0) {
        String name = parts[i].substring(0, equals).trim().toLowerCase(Locale.ROOT);
        String value = unquoted(parts[i].substring(equals + 1).trim());
        if (name.equals("q")) {
          quality = quality(value);
        } else {
          parameters.put(name, value);
        }
      }
    }
    return new MediaType(type, subtype, parameters, quality);
  }

  /** The type without parameters. */
  String essence() {
    return type + "/" + subtype;
  }

  /** How much it leaves open: 0 for one type, 1 for all of a kind, 2 for all. */
  int wildcards() {
    return type.equals("*") ? 2 : subtype.equals("*") ? 1 : 0;
  }

  boolean includes(String otherType, String otherSubtype) {
    return (type.equals("*") || type.equals(otherType))
        && (subtype.equals("*") || subtype.equals(otherSubtype));
  }

  private static String unquoted(String value) {
    return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
        ? value.substring(1, value.length() - 1)
        : value;
  }

  private static double quality(String value) {
    try {
      double quality = Double.parseDouble(value);
      return quality >= 0 && quality <= 1 ? quality : 1;
    } catch (NumberFormatException e) {
      return 1;
    }
  }
}
