package dev.keelson.schema.validation.resource;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.volume.VolumeSourceRules;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** The names of drivers, pools, devices, attributes and shares. */
final class DeviceNames {

  private static final int LONGEST_POOL = 253;
  private static final int LONGEST_IDENTIFIER = 32;
  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern ANY_UUID =
      Pattern.compile(
          "(?i)(urn:uuid:)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
              + "|\\{[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}}|[0-9a-f]{32}");

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
    String text = pool.text();
    if (text.length() > LONGEST_POOL) {
      pool.tooLong(LONGEST_POOL);
    }
    for (String part : text.split("/", -1)) {
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
    if (text.length() > LONGEST_IDENTIFIER) {
      at.tooLong(LONGEST_IDENTIFIER);
    }
    report(at, text, Formats.C_IDENTIFIER.apply(text));
  }

  /** The UUID of a shared allocation, if there is one. */
  static void shareId(Value id) {
    if (id.absent()) {
      return;
    }
    String text = id.text();
    if (!ANY_UUID.matcher(text).matches()) {
      boolean length = text.length() == 32 || text.length() == 36;
      id.invalid(
          "error validating uid: "
              + (length ? "invalid UUID format" : "invalid UUID length: " + text.length()));
    } else if (!UUID.matcher(text).matches()) {
      id.invalid(
          "uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with"
              + " lowercase hexadecimal characters");
    }
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
