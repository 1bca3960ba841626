package dev.keelson.api;

import java.util.regex.Pattern;

/**
 * The syntax of names, label keys and label values. Each method returns the problem in the words
 * that Kubernetes users know, or an empty string if there is none (sources: RFC 1035, RFC 1123,
 * Kubernetes' object names and labels).
 */
public final class Names {

  private static final Pattern DNS_1123_LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern DNS_1123_SUBDOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern DNS_1035_LABEL = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern QUALIFIED_PART =
      Pattern.compile("([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]");

  private Names() {}

  /** RFC 1123 label. */
  public static String dnsLabel(String name) {
    if (!DNS_1123_LABEL.matcher(name).matches()) {
      return "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an"
          + " alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is"
          + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
    }
    return name.length() > 63 ? "must be no more than 63 characters" : "";
  }

  /** RFC 1123 subdomain. */
  public static String dnsSubdomain(String name) {
    if (!DNS_1123_SUBDOMAIN.matcher(name).matches()) {
      return "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end"
          + " with an alphanumeric character (e.g. 'example.com', regex used for validation is"
          + " '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
    }
    return name.length() > 253 ? "must be no more than 253 characters" : "";
  }

  /** RFC 1035 label. */
  public static String dns1035Label(String name) {
    if (!DNS_1035_LABEL.matcher(name).matches()) {
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
    if (!QUALIFIED_PART.matcher(name).matches()) {
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
    if (!value.isEmpty() && !QUALIFIED_PART.matcher(value).matches()) {
      return "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end"
          + " with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is"
          + " '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
    }
    return "";
  }
}
