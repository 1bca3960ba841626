package dev.keelson.cel.library;

import dev.keelson.value.GoQuote;

/** Why a text is no IP address or network, in the words of Go's {@code net/netip}. */
final class AddressErrors {

  private final String in;

  private AddressErrors(String in) {
    this.in = in;
  }

  /** The error of {@code ParseAddr} for a text that is not an address. */
  static String ofAddress(String text) {
    AddressErrors errors = new AddressErrors(text);
    for (int i = 0; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '.' -> {
          return errors.ipv4(text);
        }
        case ':' -> {
          return errors.ipv6();
        }
        case '%' -> {
          return errors.error("missing IPv6 address", "");
        }
        default -> {
          // may be of either family
        }
      }
    }
    return errors.error("unable to parse IP", "");
  }

  /**
   * The error of {@code ParsePrefix} for a text that is not a network.
   *
   * @param isAddress whether what is in front of the slash is an address
   */
  static String ofNetwork(String text, boolean isAddress) {
    int slash = text.lastIndexOf('/');
    String why = "prefix length out of range";
    if (slash < 0) {
      why = "no '/'";
    } else if (!isAddress) {
      why = ofAddress(text.substring(0, slash));
    } else {
      String bits = text.substring(slash + 1);
      boolean isNumber =
          bits.matches("[0-9]{1,9}") && (bits.length() == 1 || bits.charAt(0) != '0');
      why = isNumber ? why : "bad bits after slash: " + GoQuote.quote(bits);
    }
    return "netip.ParsePrefix(" + GoQuote.quote(text) + "): " + why;
  }

  private String error(String message, String at) {
    return "ParseAddr("
        + GoQuote.quote(in)
        + "): "
        + message
        + (at.isEmpty() ? "" : " (at " + GoQuote.quote(at) + ")");
  }

  private String ipv4(String text) {
    int value = 0;
    int digits = 0;
    int fields = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= '0' && c <= '9') {
        if (digits == 1 && value == 0) {
          return error("IPv4 field has octet with leading zero", "");
        }
        value = value * 10 + c - '0';
        digits++;
        if (value > 255) {
          return error("IPv4 field has value >255", "");
        }
      } else if (c != '.') {
        return error("unexpected character", text.substring(i));
      } else if (i == 0 || i == text.length() - 1 || text.charAt(i - 1) == '.') {
        return error("IPv4 field must have at least one digit", text.substring(i));
      } else if (fields == 3) {
        return error("IPv4 address too long", "");
      } else {
        fields++;
        value = 0;
        digits = 0;
      }
    }
    return error("IPv4 address too short", "");
  }

  private String ipv6() {
    int percent = in.indexOf('%');
    if (percent == in.length() - 1) {
      return error("zone must be a non-empty string", "");
    }
    String rest = percent < 0 ? in : in.substring(0, percent);
    boolean ellipsis = rest.startsWith("::");
    if (ellipsis) {
      rest = rest.substring(2);
    }
    int bytes = 0;
    while (bytes < 16 && !rest.isEmpty()) {
      int digits = 0;
      while (digits < rest.length() && Character.digit(rest.charAt(digits), 16) >= 0) {
        if (++digits > 4) {
          return error("each group must have 4 or less digits", rest);
        }
      }
      if (digits == 0) {
        return error("each colon-separated field must have at least one digit", rest);
      }
      if (digits < rest.length() && rest.charAt(digits) == '.') {
        if (!ellipsis && bytes != 12) {
          return error(
              "embedded IPv4 address must replace the final 2 fields of the address", rest);
        }
        return bytes > 12
            ? error("too many hex fields to fit an embedded IPv4 at the end of the address", rest)
            : ipv4(rest);
      }
      bytes += 2;
      rest = rest.substring(digits);
      if (rest.isEmpty()) {
        break;
      }
      if (rest.charAt(0) != ':') {
        return error("unexpected character, want colon", rest);
      }
      if (rest.length() == 1) {
        return error("colon must be followed by more characters", rest);
      }
      rest = rest.substring(1);
      if (rest.charAt(0) == ':') {
        if (ellipsis) {
          return error("multiple :: in address", rest);
        }
        ellipsis = true;
        rest = rest.substring(1);
      }
    }
    if (!rest.isEmpty()) {
      return error("trailing garbage after address", rest);
    }
    return ellipsis
        ? error("the :: must expand to at least one field of zeros", "")
        : error("address string too short", "");
  }
}
