package dev.keelson.cel.library;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.keelson.api.Names;
import dev.keelson.cel.type.NamedFormat;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The named formats of Kubernetes' format library, with the messages of Kubernetes' validation. */
enum Format implements NamedFormat {
  DNS_1123_LABEL("dns1123Label", 30),
  DNS_1123_SUBDOMAIN("dns1123Subdomain", 60),
  DNS_1035_LABEL("dns1035Label", 30),
  QUALIFIED_NAME("qualifiedName", 60),
  DNS_1123_LABEL_PREFIX("dns1123LabelPrefix", 30),
  DNS_1123_SUBDOMAIN_PREFIX("dns1123SubdomainPrefix", 60),
  DNS_1035_LABEL_PREFIX("dns1035LabelPrefix", 30),
  LABEL_VALUE("labelValue", 40),
  URI("uri", 128),
  UUID("uuid", 128),
  BYTE("byte", 128),
  DATE("date", 128),
  DATETIME("datetime", 128);

  /** Its type in expressions. */
  static final CelType TYPE = OpaqueType.create("kubernetes.NamedFormat");

  private static final Pattern HEX =
      Pattern.compile("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");

  private static final Pattern TIME =
      Pattern.compile(
          "(?i)([0-9]{2}):([0-9]{2}):([0-9]{2})(?:.[0-9]+)?(?:z|[+-][0-9]{2}:[0-9]{2})");

  private final String word;
  private final int longestPattern;

  Format(String word, int longestPattern) {
    this.word = word;
    this.longestPattern = longestPattern;
  }

  @Override
  public int longestPattern() {
    return longestPattern;
  }

  @Override
  public CelType celType() {
    return TYPE;
  }

  /** The name in expressions. */
  String word() {
    return word;
  }

  static Optional<Format> named(String name) {
    for (Format format : values()) {
      if (format.word.equals(name)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /** Returns the errors of {@code text}; empty if it is valid. */
  Optional<List<String>> problems(String text) {
    String found =
        switch (this) {
          case DNS_1123_LABEL -> Names.dnsLabel(text);
          case DNS_1123_LABEL_PREFIX -> Names.dnsLabel(masked(text));
          case DNS_1123_SUBDOMAIN -> Names.dnsSubdomain(text);
          case DNS_1123_SUBDOMAIN_PREFIX -> Names.dnsSubdomain(masked(text));
          case DNS_1035_LABEL -> Names.dns1035Label(text);
          case DNS_1035_LABEL_PREFIX -> Names.dns1035Label(masked(text));
          case QUALIFIED_NAME -> Names.qualifiedName(text);
          case LABEL_VALUE -> Names.labelValue(text);
          case URI -> Url.problem(text);
          case UUID -> unless(HEX.matches(text), "does not match the UUID format");
          case BYTE -> unless(isBase64(text), "invalid base64");
          case DATE -> unless(isDate(text), "invalid date");
          case DATETIME -> unless(isTime(text), "invalid datetime");
        };
    return found.isEmpty() ? Optional.empty() : Optional.of(List.of(found.split("\n")));
  }

  /**
   * A prefix for generated names may end in a dash; Kubernetes replaces the character before, too.
   */
  private static String masked(String prefix) {
    return prefix.length() > 1 && prefix.endsWith("-")
        ? prefix.substring(0, prefix.length() - 2) + "a"
        : prefix;
  }

  private static String unless(boolean holds, String problem) {
    return holds ? "" : problem;
  }

  private static boolean isBase64(String text) {
    try {
      return !text.isEmpty()
          && text.length() % 4 == 0
          && Base64.getDecoder().decode(text).length > 0;
    } catch (IllegalArgumentException no) {
      return false;
    }
  }

  private static boolean isDate(String text) {
    try {
      return text.length() == "2021-01-01".length() && LocalDate.parse(text) != null;
    } catch (DateTimeException no) {
      return false;
    }
  }

  private static boolean isTime(String text) {
    int t = text.toLowerCase(Locale.ROOT).indexOf('t');
    if (t < 0 || !isDate(text.substring(0, t))) {
      return false;
    }
    Matcher time = TIME.matcher(text.substring(t + 1));
    return time.matches()
        && time.group(1).compareTo("23") <= 0
        && time.group(2).compareTo("59") <= 0
        && time.group(3).compareTo("59") <= 0;
  }
}
