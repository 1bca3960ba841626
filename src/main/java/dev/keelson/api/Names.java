package dev.keelson.api;

/**
 * The syntax of names, label keys and label values. Each method returns the problem with
 * Kubernetes' message, or an empty string if there is none; several problems are lines of one text,
 * each of which becomes a cause (sources: RFC 1035, RFC 1123, Kubernetes' object names and labels).
 */
public final class Names {

  private static final String NO_SUBDOMAIN =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or"
          + " '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex"
          + " used for validation is"
          + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

  private static final String NO_NAME_PART =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
          + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
          + " validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

  private Names() {}

  /** Joins two problems, each of which may be empty. */
  public static String lines(String first, String second) {
    return first.isEmpty() ? second : second.isEmpty() ? first : first + '\n' + second;
  }

  /** RFC 1123 label. */
  public static String dnsLabel(String name) {
    String length = name.length() > 63 ? "must be no more than 63 characters" : "";
    if (isLabel(name, 0, name.length())) {
      return length;
    }
    return lines(
        length,
        isSubdomain(name)
            ? "must not contain dots"
            : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or"
                + " '-', and must start and end with an alphanumeric character (e.g. 'my-name', "
                + " or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')");
  }

  /** RFC 1123 subdomain. */
  public static String dnsSubdomain(String name) {
    String length = name.length() > 253 ? "must be no more than 253 characters" : "";
    return isSubdomain(name) ? length : lines(length, NO_SUBDOMAIN);
  }

  /** RFC 1035 label. */
  public static String dns1035Label(String name) {
    String length = name.length() > 63 ? "must be no more than 63 characters" : "";
    if (isLabel(name, 0, name.length()) && !isDigit(name.charAt(0))) {
      return length;
    }
    return lines(
        length,
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an"
            + " alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or"
            + " 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')");
  }

  /** A name that is valid as one segment of a path. */
  public static String pathSegment(String name) {
    if (name.equals(".") || name.equals("..")) {
      return "may not be '" + name + "'";
    }
    String problem = name.indexOf('/') < 0 ? "" : "may not contain '/'";
    return name.indexOf('%') < 0 ? problem : lines(problem, "may not contain '%'");
  }

  /**
   * A label or annotation key: an optional DNS subdomain and a slash, then a name of at most 63
   * characters.
   */
  public static String qualifiedName(String key) {
    int slash = key.indexOf('/');
    String problem = "";
    if (slash >= 0) {
      if (key.indexOf('/', slash + 1) >= 0) {
        return "a valid label key "
            + NO_NAME_PART
            + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
      }
      problem = prefix(key.substring(0, slash));
    }
    String name = key.substring(slash + 1);
    if (name.isEmpty()) {
      problem = lines(problem, "name part must be non-empty");
    } else if (name.length() > 63) {
      problem = lines(problem, "name part must be no more than 63 bytes");
    }
    return isQualifiedPart(name) ? problem : lines(problem, "name part " + NO_NAME_PART);
  }

  private static String prefix(String prefix) {
    if (prefix.isEmpty()) {
      return "prefix part must be non-empty";
    }
    String length = prefix.length() > 253 ? "prefix part must be no more than 253 bytes" : "";
    return isSubdomain(prefix) ? length : lines(length, "prefix part " + NO_SUBDOMAIN);
  }

  /** A label value: empty, or at most 63 characters that begin and end with a letter or digit. */
  public static String labelValue(String value) {
    String length = value.length() > 63 ? "must be no more than 63 bytes" : "";
    if (value.isEmpty() || isQualifiedPart(value)) {
      return length;
    }
    return lines(
        length,
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
            + " '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
            + " 'my_value',  or '12345', regex used for validation is"
            + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
  }

  /**
   * Lower-case letters, digits and dashes from {@code from} to {@code to}, with no dash at the
   * ends. Not a regular expression: names come with every request, and a pattern's stack grows with
   * their length.
   */
  private static boolean isLabel(String text, int from, int to) {
    if (from >= to || text.charAt(from) == '-' || text.charAt(to - 1) == '-') {
      return false;
    }
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (!((c >= 'a' && c <= 'z') || isDigit(c) || c == '-')) {
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
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || isDigit(c);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
