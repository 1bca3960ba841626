package dev.keelson.schema.structural.validation;

/**
 * Email addresses as Go's {@code mail.ParseAddress} reads them: RFC 5322, with or without a name.
 */
final class EmailFormat {

  private static final String ATOM_MARKS = "!#$%&'*+-/=?^_`{|}~";

  private EmailFormat() {}

  static boolean isAddress(String text) {
    String trimmed = text.strip();
    if (!trimmed.endsWith(">")) {
      return isSpec(trimmed);
    }
    int angle = trimmed.lastIndexOf('<');
    return angle >= 0
        && isPhrase(trimmed.substring(0, angle).strip())
        && isSpec(trimmed.substring(angle + 1, trimmed.length() - 1).strip());
  }

  /** {@code local@domain}. */
  private static boolean isSpec(String text) {
    int at = text.startsWith("\"") ? quoteEnd(text) : text.indexOf('@');
    if (at <= 0 || at >= text.length() || text.charAt(at) != '@') {
      return false;
    }
    String local = text.substring(0, at);
    String domain = text.substring(at + 1);
    return (local.startsWith("\"") ? local.length() > 2 : isDotAtom(local))
        && (isDotAtom(domain) || isLiteral(domain));
  }

  private static boolean isLiteral(String domain) {
    if (!domain.startsWith("[") || !domain.endsWith("]") || domain.length() < 3) {
      return false;
    }
    String inner = domain.substring(1, domain.length() - 1);
    return inner.startsWith("IPv6:")
        ? NetworkFormats.isIpv6(inner.substring(5))
        : NetworkFormats.isIpv4(inner);
  }

  /** A name: words, which are atoms or quoted strings; empty for none. */
  private static boolean isPhrase(String text) {
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '"') {
        int end = quoteEnd(text.substring(i));
        if (end < 0) {
          return false;
        }
        i += end;
      } else if (c == ' ' || c == '\t' || c == '.' || isAtomText(c)) {
        i++;
      } else {
        return false;
      }
    }
    return true;
  }

  /** The index behind the quoted string that {@code text} begins with; -1 if it does not end. */
  private static int quoteEnd(String text) {
    for (int i = 1; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"') {
        return i + 1;
      }
      if (c == '\\') {
        i++;
      } else if (c < ' ' && c != '\t') {
        return -1;
      }
    }
    return -1;
  }

  private static boolean isDotAtom(String text) {
    return !text.isEmpty()
        && !text.startsWith(".")
        && !text.endsWith(".")
        && !text.contains("..")
        && text.chars().allMatch(c -> c == '.' || isAtomText(c));
  }

  private static boolean isAtomText(int c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c >= 0x80
        || ATOM_MARKS.indexOf(c) >= 0;
  }
}
