package dev.keelson.api;

/**
 * The syntax of names, label keys and label values. Each method returns the problem in the words
 * that Kubernetes users know, or an empty string if there is none (sources: RFC 1035, RFC 1123,
 * Kubernetes' object names and labels).
 */
public final class Names {

  private Names() {}

  /** RFC 1123 label. */
  public static String dnsLabel(String name) {
    if (!isLabel(name, 0, name.length())) {
      return "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an"
          + " alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is"
          + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    }
    return name.length() > 63 ? "must be no more than 63 characters" : "";
  }

  /** RFC 1123 subdomain. */
  public static String dnsSubdomain(String name) {
    if (!isSubdomain(name)) {
      return "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end"
          + " with an alphanumeric character (e.g. 'example.com', regex used for validation is"
          + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    }
    return name.length() > 253 ? "must be no more than 253 characters" : "";
  }

  /** RFC 1035 label. */
  public static String dns1035Label(String name) {
    if (!isLabel(name, 0, name.length()) || isDigit(name.charAt(0))) {
      return "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and"
          + " end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is"
          + " '[a-z]([-a-z0-9]*[a-z0-9])?')";
    }
    return name.length() > 63 ? "must be no more than 63 characters" : "";
  }

  /** A name that can stand as one segment of a path. */
  public static String pathSegment(String name) {
    if (name.equals(".") || name.equals("..")) {
      return "may not be '" + name + "'";
    }
    for (String illegal : new String[] {"/", "%"}) {
      if (name.contains(illegal)) {
        return "may not contain '" + illegal + "'";
      }
    }
    return "";
  }

  /**
   * A label or annotation key: an optional DNS subdomain and a slash, then a name of at most 63
   * characters.
   */
  public static String qualifiedName(String key) {
    int slash = key.indexOf('/');
    if (slash >= 0) {
      if (key.indexOf('/', slash + 1) >= 0) {
        return "a valid label key must consist of alphanumeric characters, '-', '_' or '.', with an optional DNS subdomain prefix"
            + " and '/' (e.g. 'example.com/MyName')";
      }
      String prefix = key.substring(0, slash);
      if (prefix.isEmpty()) {
        return "prefix part must be non-empty";
      }
      String problem = dnsSubdomain(prefix);
      if (!problem.isEmpty()) {
        return "prefix part " + problem;
      }
    }
    String name = key.substring(slash + 1);
    if (name.isEmpty()) {
      return "name part must be non-empty";
    }
    if (name.length() > 63) {
      return "name part must be no more than 63 characters";
    }
    if (!isQualifiedPart(name)) {
      return "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
          + " character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is"
          + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    }
    return "";
  }

  /** A label value: empty, or at most 63 characters that begin and end with a letter or digit. */
  public static String labelValue(String value) {
    if (value.length() > 63) {
      return "must be no more than 63 characters";
    }
    if (!value.isEmpty() && !isQualifiedPart(value)) {
      return "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end"
          + " with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is"
          + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
    }
    return "";
  }

  /**
   * Lower-case letters, digits and dashes from {@code from} to {@code to}, with no dash at the
   * ends. Scans by hand: names come with every request, and a pattern's stack would grow with their
   * length.
   */
  private static boolean isLabel(String text, int from, int to) {
    if (from >= to || text.charAt(from) == '-' || text.charAt(to - 1) == '-') {
      return false;
    }
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (!(c >= 'a' && c <= 'z' || isDigit(c) || c == '-')) {
        return false;
      }
    }
    return true;
  }

  private static boolean isSubdomain(String text) {
    int from = 0;
    for (int dot = text.indexOf('.'); dot >= 0; dot = text.indexOf('.', from)) {
      if (!isLabel(text, from, dot)) {
        return false;
      }
      from = dot + 1;
    }
    return isLabel(text, from, text.length());
  }

  /** Letters, digits, dashes, underscores and dots, with a letter or digit at the ends. */
  private static boolean isQualifiedPart(String text) {
    int length = text.length();
    if (length == 0
        || !isLetterOrDigit(text.charAt(0))
        || !isLetterOrDigit(text.charAt(length - 1))) {
      return false;
    }
    for (int i = 1; i < length - 1; i++) {
      char c = text.charAt(i);
      if (!(isLetterOrDigit(c) || c == '-' || c == '_' || c == '.')) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetterOrDigit(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || isDigit(c);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
