package dev.keelson.schema.validation;

import dev.keelson.api.Names;
import dev.keelson.value.Cidr;
import dev.keelson.value.IpAddress;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Formats of strings. Each gives the problem with a string, or an empty one (sources: RFC 1123, RFC
 * 6335, the syntax that Kubernetes documents for each field).
 */
public final class Formats {
  public static final UnaryOperator<String> DNS_LABEL = Names::dnsLabel;
  public static final UnaryOperator<String> DNS_SUBDOMAIN = Names::dnsSubdomain;
  public static final UnaryOperator<String> DNS_1035_LABEL = Names::dns1035Label;
  public static final UnaryOperator<String> QUALIFIED_NAME = Names::qualifiedName;
  public static final UnaryOperator<String> LABEL_VALUE = Names::labelValue;
  public static final UnaryOperator<String> PATH_SEGMENT = Names::pathSegment;
  public static final UnaryOperator<String> PORT_NAME = Formats::portName;
  public static final UnaryOperator<String> ENV_NAME = Formats::envName;
  public static final UnaryOperator<String> CONFIG_KEY = Formats::configKey;

  /**
   * An address without zeros in front of its numbers that is no IPv4 address in IPv6 form; the form
   * need not be the canonical one (source: IsValidIPForLegacyField, strict).
   */
  public static final UnaryOperator<String> IP = Formats::ip;

  /**
   * A network of such an address, without bits beyond the prefix (source:
   * IsValidCIDRForLegacyField, strict).
   */
  public static final UnaryOperator<String> CIDR = Formats::cidr;

  public static final UnaryOperator<String> HEADER_NAME = Formats::headerName;
  public static final UnaryOperator<String> WILDCARD_SUBDOMAIN = Formats::wildcardSubdomain;
  public static final UnaryOperator<String> RELATIVE_PATH = Formats::relativePath;
  public static final UnaryOperator<String> NO_PARENT = Formats::noParent;
  public static final UnaryOperator<String> C_IDENTIFIER = Formats::identifier;

  /** Zeros in front of a decimal number. */
  private static final Pattern LEADING_ZEROS = Pattern.compile("(?<![0-9a-fA-F:])0+(?=[0-9])");

  /** More than any address or network has, even with zeros. */
  private static final int LONGEST_CIDR = 80;

  private Formats() {}

  private static String portName(String text) {
    String problems = text.length() > 15 ? "must be no more than 15 characters" : "";
    boolean letter = false;
    boolean others = text.isEmpty();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isLetter = c >= 'a' && c <= 'z';
      letter |= isLetter;
      others |= !isLetter && !isDigit(c) && c != '-';
    }
    if (others) {
      problems =
          Names.lines(
              problems, "must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    }
    if (!letter) {
      problems = Names.lines(problems, "must contain at least one letter (a-z)");
    }
    if (text.contains("--")) {
      problems = Names.lines(problems, "must not contain consecutive hyphens");
    }
    return text.startsWith("-") || text.endsWith("-")
        ? Names.lines(problems, "must not begin or end with a hyphen")
        : problems;
  }

  private static String envName(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || c == '=') {
        return "a valid environment variable name must consist only of printable ASCII characters"
            + " other than '='";
      }
    }
    return "";
  }

  private static String configKey(String text) {
    String problems = text.length() > 253 ? "must be no more than 253 characters" : "";
    boolean others = text.isEmpty();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      others |= !(isLetter(c) || isDigit(c) || c == '-' || c == '_' || c == '.');
    }
    if (others) {
      problems = Names.lines(problems, badConfigKey());
    }
    return Names.lines(
        problems,
        switch (text) {
          case "." -> "must not be '.'";
          case ".." -> "must not be '..'";
          default -> text.startsWith("..") ? "must not start with '..'" : "";
        });
  }

  private static String badConfigKey() {
    return "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g."
        + " 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is"
        + " '[-._a-zA-Z0-9]+')";
  }

  private static String headerName(String text) {
    boolean others = text.isEmpty();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      others |= !(isLetter(c) || isDigit(c) || c == '-');
    }
    return others
        ? "a valid HTTP header must consist of alphanumeric characters or '-' (e.g."
            + " 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')"
        : "";
  }

  private static String identifier(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!(isLetter(c) || c == '_' || (i > 0 && isDigit(c)))) {
        return "a valid C identifier must start with alphabetic character or '_', followed by a"
            + " string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or"
            + " 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')";
      }
    }
    return "";
  }

  private static String ip(String text) {
    Optional<IpAddress> ip = IpAddress.tryParse(text);
    if (ip.isPresent()) {
      return isMapped(text, ip.get()) ? "must not be an IPv4-mapped IPv6 address" : "";
    }
    return isIp(text)
        ? "must not have leading 0s"
        : "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
  }

  private static String cidr(String text) {
    Optional<Cidr> cidr = Cidr.tryParse(text);
    if (cidr.isEmpty()) {
      return text.length() <= LONGEST_CIDR && isCidr(withoutZeros(text))
          ? "must not have leading 0s in IP or prefix length"
          : "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
    }
    if (isMapped(text, cidr.get().address())) {
      return "must not have an IPv4-mapped IPv6 address";
    }
    return cidr.get().masked().equals(cidr.get())
        ? ""
        : "must not have bits set beyond the prefix length";
  }

  static boolean isMapped(String text, IpAddress address) {
    return address.family() == IpAddress.Family.IPV4 && text.indexOf(':') >= 0;
  }

  private static String withoutZeros(String text) {
    return LEADING_ZEROS.matcher(text).replaceAll("");
  }

  /** Whether the text is an IP address, with zeros in front of its numbers or without. */
  public static boolean isIp(String text) {
    return text.length() <= LONGEST_CIDR
        && (IpAddress.tryParse(text).isPresent()
            || IpAddress.tryParse(withoutZeros(text)).isPresent());
  }

  /**
   * The problem with an address and the length of its network's prefix, which must be in canonical
   * form (source: IsValidInterfaceAddress); empty if there is none.
   */
  public static String interfaceAddress(String text) {
    Optional<Cidr> address = Cidr.tryParse(text);
    if (address.isEmpty() && text.length() <= LONGEST_CIDR) {
      address = Cidr.tryParse(withoutZeros(text));
    }
    if (address.isEmpty()) {
      return "must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)";
    }
    String form = address.get().toString();
    return text.equals(form) ? "" : "must be in canonical form (\"" + form + "\")";
  }

  /** Whether the text is a network in CIDR notation. */
  public static boolean isCidr(String text) {
    return Cidr.tryParse(text).isPresent();
  }

  private static String wildcardSubdomain(String text) {
    String length = text.length() > 253 ? "must be no more than 253 characters" : "";
    return text.startsWith("*.") && !Names.dnsSubdomain(text.substring(2)).contains("RFC 1123")
        ? length
        : Names.lines(
            length,
            "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain,"
                + " which must consist of lower case alphanumeric characters, '-' or '.' and end"
                + " with an alphanumeric character (e.g. '*.example.com', regex used for validation"
                + " is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
  }

  /** A path below a volume, which never leaves it. */
  private static String relativePath(String text) {
    return text.startsWith("/")
        ? Names.lines("must be a relative path", noParent(text))
        : noParent(text);
  }

  private static String noParent(String text) {
    if (text.contains("..")) {
      for (String part : text.split("/", -1)) {
        if (part.equals("..")) {
          return "must not contain '..'";
        }
      }
    }
    return "";
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  }
}
