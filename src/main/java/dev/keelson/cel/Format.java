package dev.keelson.cel;

import com.google.re2j.Pattern;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The forms of texts that expressions may check by name. The messages are those of Kubernetes'
 * validation, without the examples.
 */
enum Format {
  DNS_1123_LABEL("dns1123Label"),
  DNS_1123_SUBDOMAIN("dns1123Subdomain"),
  DNS_1035_LABEL("dns1035Label"),
  QUALIFIED_NAME("qualifiedName"),
  DNS_1123_LABEL_PREFIX("dns1123LabelPrefix"),
  DNS_1123_SUBDOMAIN_PREFIX("dns1123SubdomainPrefix"),
  DNS_1035_LABEL_PREFIX("dns1035LabelPrefix"),
  LABEL_VALUE("labelValue"),
  URI("uri"),
  UUID("uuid"),
  BYTE("byte"),
  DATE("date"),
  DATETIME("datetime");

  private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern LETTERED = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern WORD = Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");
  private static final Pattern HEX =
      Pattern.compile("(?i)[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}");

  private static final int LONGEST_NAME = 63;
  private static final int LONGEST_SUBDOMAIN = 253;

  private final String word;

  Format(String word) {
    this.word = word;
  }

  /** How expressions call it. */
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

  /** What is wrong with {@code text}; empty if nothing is. */
  Optional<List<String>> problems(String text) {
    List<String> found = new ArrayList<>();
    switch (this) {
      case DNS_1123_LABEL -> label(text, found::add);
      case DNS_1123_LABEL_PREFIX -> label(masked(text), found::add);
      case DNS_1123_SUBDOMAIN -> subdomain(text, found::add);
      case DNS_1123_SUBDOMAIN_PREFIX -> subdomain(masked(text), found::add);
      case DNS_1035_LABEL -> lettered(text, found::add);
      case DNS_1035_LABEL_PREFIX -> lettered(masked(text), found::add);
      case QUALIFIED_NAME -> qualified(text, found::add);
      case LABEL_VALUE -> value(text, found::add);
      case URI -> uri(text, found::add);
      case UUID -> require(HEX.matches(text), "does not match the UUID format", found::add);
      case BYTE -> require(isBase64(text), "invalid base64", found::add);
      case DATE -> require(isDate(text), "invalid date", found::add);
      case DATETIME -> require(isTime(text), "invalid datetime", found::add);
    }
    return found.isEmpty() ? Optional.empty() : Optional.of(found);
  }

  /** The start of a name whose end is still to come may end in a dash. */
  private static String masked(String prefix) {
    return prefix.length() > 1 && prefix.endsWith("-")
        ? prefix.substring(0, prefix.length() - 1) + "a"
        : prefix;
  }

  private static void require(boolean holds, String problem, Consumer<String> problems) {
    if (!holds) {
      problems.accept(problem);
    }
  }

  private static void shorter(String text, int most, Consumer<String> problems) {
    require(text.length() <= most, "must be no more than " + most + " bytes", problems);
  }

  private static void label(String text, Consumer<String> problems) {
    shorter(text, LONGEST_NAME, problems);
    require(
        LABEL.matches(text),
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and"
            + " must start and end with an alphanumeric character",
        problems);
  }

  private static void subdomain(String text, Consumer<String> problems) {
    shorter(text, LONGEST_SUBDOMAIN, problems);
    require(
        SUBDOMAIN.matches(text),
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
            + " '.', and must start and end with an alphanumeric character",
        problems);
  }

  private static void lettered(String text, Consumer<String> problems) {
    shorter(text, LONGEST_NAME, problems);
    require(
        LETTERED.matches(text),
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an"
            + " alphabetic character, and end with an alphanumeric character",
        problems);
  }

  private static void qualified(String text, Consumer<String> problems) {
    String[] parts = text.split("/", -1);
    if (parts.length > 2) {
      problems.accept(
          "a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must"
              + " start and end with an alphanumeric character with an optional DNS subdomain"
              + " prefix and '/'");
      return;
    }
    if (parts.length == 2) {
      if (parts[0].isEmpty()) {
        problems.accept("prefix part must be non-empty");
      } else {
        subdomain(parts[0], problem -> problems.accept("prefix part " + problem));
      }
    }
    String name = parts[parts.length - 1];
    if (name.isEmpty()) {
      problems.accept("name part must be non-empty");
    }
    shorter(name, LONGEST_NAME, problem -> problems.accept("name part " + problem));
    require(
        WORD.matches(name),
        "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end"
            + " with an alphanumeric character",
        problems);
  }

  private static void value(String text, Consumer<String> problems) {
    shorter(text, LONGEST_NAME, problems);
    require(
        text.isEmpty() || WORD.matches(text),
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
            + " '.', and must start and end with an alphanumeric character",
        problems);
  }

  private static void uri(String text, Consumer<String> problems) {
    try {
      Url unused = Url.parse(text);
    } catch (IllegalArgumentException e) {
      problems.accept(String.valueOf(e.getMessage()));
    }
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
    try {
      return OffsetDateTime.parse(text.replace(' ', 'T')) != null;
    } catch (DateTimeException no) {
      return false;
    }
  }
}
