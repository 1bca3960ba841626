package dev.keelson.schema.validation.resource;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.volume.VolumeSourceRules;
import dev.keelson.value.GoQuote;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** The names of drivers, pools, devices, attributes and shares. */
final class DeviceNames {

  private static final int LONGEST_POOL = 253;
  private static final int LONGEST_IDENTIFIER = 32;

  /** A domain, a slash and an identifier. */
  private static final int LONGEST_SHOWN_KEY = 63 + 1 + LONGEST_IDENTIFIER;

  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern HYPHENATED =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
  private static final Pattern PLAIN = Pattern.compile("[0-9a-fA-F]{32}");
  private static final String URN = "urn:uuid:";

  private DeviceNames() {}

  /** The name of a DRA driver, which is formed like that of a CSI driver. */
  static void driver(Value driver) {
    VolumeSourceRules.validateCsiDriverName(driver);
  }

  /** A DNS label, which is required. */
  static void label(Value name) {
    required(name, Formats.DNS_LABEL);
  }

  /** DNS subdomains, separated by slashes. */
  static void pool(Value pool) {
    if (!pool.filled()) {
      pool.required();
      return;
    }
    longest(pool, LONGEST_POOL);
    for (String part : pool.text().split("/", -1)) {
      report(pool, part, Formats.DNS_SUBDOMAIN.apply(part));
    }
  }

  /** The name of an attribute or a capacity: a C identifier, with a domain before it or without. */
  static void qualified(Value at, String name) {
    String[] parts = name.split("/", -1);
    switch (parts.length) {
      case 1 -> identifier(at, name);
      case 2 -> {
        if (parts[0].isEmpty()) {
          at.invalid("", "the domain must not be empty");
        } else {
          VolumeSourceRules.validateCsiDriverName(at.holding(Node.text(parts[0])));
        }
        if (parts[1].isEmpty()) {
          at.invalid("", "the name must not be empty");
        } else {
          identifier(at, parts[1]);
        }
      }
      default -> at.invalid(name, "must not contain more than one slash");
    }
  }

  /** As {@link #qualified}, with a domain. */
  static void fullyQualified(Value name) {
    qualified(name, name.text());
    if (name.text().indexOf('/') < 0) {
      name.invalid("a fully qualified name must be a domain and a name separated by a slash");
    }
  }

  private static void identifier(Value at, String text) {
    longest(at.holding(Node.text(text)), LONGEST_IDENTIFIER);
    report(at, text, Formats.C_IDENTIFIER.apply(text));
  }

  /** The UUID of a shared allocation, if there is one. */
  static void shareId(Value id) {
    if (id.absent()) {
      return;
    }
    String text = id.text();
    String problem = uuidProblem(text);
    if (!problem.isEmpty()) {
      id.invalid("error validating uid: " + problem);
    } else if (!UUID.matcher(text).matches()) {
      id.invalid(
          "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with"
              + " lowercase hexadecimal characters");
    }
  }

  /** Why a text is no UUID, in the words of the library that kube-apiserver reads it with. */
  private static String uuidProblem(String text) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    return switch (bytes) {
      case 32 -> format(PLAIN, text);
      case 36 -> format(HYPHENATED, text);
      case 38 ->
          text.startsWith("{") && text.endsWith("}")
              ? format(HYPHENATED, text.substring(1, text.length() - 1))
              : "invalid bracketed UUID format";
      case 45 ->
          text.regionMatches(/* ignoreCase= */ true, 0, URN, 0, URN.length())
              ? format(HYPHENATED, text.substring(URN.length()))
              : "invalid urn prefix: "
                  + GoQuote.quote(text.substring(0, Math.min(URN.length(), text.length())));
      default -> "invalid UUID length: " + bytes;
    };
  }

  private static String format(Pattern pattern, String text) {
    return pattern.matcher(text).matches() ? "" : "invalid UUID format";
  }

  /** Reports a string of more than {@code bytes} bytes. */
  static void longest(Value text, int bytes) {
    if (text.text().getBytes(StandardCharsets.UTF_8).length > bytes) {
      text.tooLong(bytes);
    }
  }

  /**
   * The entry of a map as paths show it: of a key that is too long, the ends (source: {@code
   * truncateIfTooLong}).
   */
  static Value shown(Value entry) {
    String key = entry.name();
    if (key.length() <= LONGEST_SHOWN_KEY) {
      return entry;
    }
    int kept = LONGEST_SHOWN_KEY - 3;
    return entry.renamed(
        key.substring(0, (kept + 1) / 2) + "..." + key.substring(key.length() - kept / 2));
  }

  /** Reports a string that is required and has the format. */
  static void required(Value text, UnaryOperator<String> format) {
    report(text, text.text(), format.apply(text.text()));
  }

  private static void report(Value at, String shown, String problem) {
    if (!problem.isEmpty()) {
      at.invalid(shown, problem);
    }
  }
}
