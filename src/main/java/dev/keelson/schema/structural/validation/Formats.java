package dev.keelson.schema.structural.validation;

import com.google.re2j.Pattern;
import dev.keelson.api.Names;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The formats that custom resources can declare; others are not checked (source: the list of
 * apiextensions-apiserver, and kube-openapi's {@code strfmt}). Dashes in names do not count.
 */
final class Formats {

  private static final Set<String> INTEGERS = Set.of("int32", "int64");
  private static final Set<String> NUMBERS = Set.of("float", "double");

  private static final Map<String, Predicate<String>> STRINGS =
      Map.ofEntries(
          Map.entry("bsonobjectid", pattern("^[0-9a-fA-F]{24}$")),
          Map.entry("uri", UriFormat::isRequestUri),
          Map.entry("email", EmailFormat::isAddress),
          Map.entry("hostname", Formats::isHostname),
          Map.entry("ipv4", NetworkFormats::isIpv4),
          Map.entry("ipv6", NetworkFormats::isIpv6),
          Map.entry("cidr", NetworkFormats::isCidr),
          Map.entry("mac", NetworkFormats::isMac),
          Map.entry("uuid", uuid("[0-9a-f]", "[0-9a-f]")),
          Map.entry("uuid3", uuid("3", "[0-9a-f]")),
          Map.entry("uuid4", uuid("4", "[89ab]")),
          Map.entry("uuid5", uuid("5", "[89ab]")),
          Map.entry("isbn", text -> NumberFormats.isIsbn10(text) || NumberFormats.isIsbn13(text)),
          Map.entry("isbn10", NumberFormats::isIsbn10),
          Map.entry("isbn13", NumberFormats::isIsbn13),
          Map.entry("creditcard", NumberFormats::isCreditCard),
          Map.entry("ssn", pattern("^\\d{3}[- ]?\\d{2}[- ]?\\d{4}$").and(t -> t.length() == 11)),
          Map.entry("hexcolor", pattern("^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$")),
          Map.entry("rgbcolor", rgb()),
          Map.entry(
              "byte",
              pattern(
                  "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$")),
          Map.entry("password", _ -> true),
          Map.entry("date", TimeFormats::isDate),
          Map.entry("datetime", TimeFormats::isDateTime),
          Map.entry("duration", TimeFormats::isDuration),
          Map.entry("k8sshortname", text -> Names.dnsLabel(text).isEmpty()),
          Map.entry("k8slongname", text -> Names.dnsSubdomain(text).isEmpty()));

  private Formats() {}

  private static String normal(String format) {
    return format.replace("-", "");
  }

  /** Whether values of a place with {@code types} are checked for a format. */
  static boolean isChecked(String format, List<String> types) {
    String name = normal(format);
    return STRINGS.containsKey(name)
        || (INTEGERS.contains(name) && types.contains("integer"))
        || (NUMBERS.contains(name) && types.contains("number"));
  }

  /** Whether a format is one of numbers. */
  static boolean isNumeric(String format) {
    String name = normal(format);
    return INTEGERS.contains(name) || NUMBERS.contains(name);
  }

  /** Whether a string has a format; true for unknown ones. */
  static boolean matches(String format, String text) {
    Predicate<String> known = STRINGS.get(normal(format));
    return known == null || known.test(text);
  }

  /** A pattern that is compiled on first use. */
  private static Predicate<String> pattern(String expression) {
    return new Predicate<>() {
      private volatile @Nullable Pattern compiled;

      @Override
      public boolean test(String text) {
        Pattern known = compiled;
        if (known == null) {
          known = Pattern.compile(expression);
          compiled = known;
        }
        return known.matcher(text).find();
      }
    };
  }

  private static Predicate<String> uuid(String version, String variant) {
    return pattern(
        "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?"
            + version
            + "[0-9a-f]{3}-?"
            + variant
            + "[0-9a-f]{3}-?[0-9a-f]{12}$");
  }

  private static Predicate<String> rgb() {
    String number = "\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*";
    return pattern("^rgb\\(" + number + "," + number + "," + number + "\\)$");
  }

  private static final Predicate<String> HOSTNAME =
      pattern(
          "^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)|([a-zA-Z0-9\\p{S}\\p{L}]"
              + "(([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}"
              + "([a-zA-Z\\p{L}]){2,63})$");

  private static boolean isHostname(String text) {
    if (bytes(text) > 255 || !HOSTNAME.test(text)) {
      return false;
    }
    for (String label : text.split("\\.", -1)) {
      if (bytes(label) > 63) {
        return false;
      }
    }
    return true;
  }

  private static int bytes(String text) {
    return text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
  }
}
