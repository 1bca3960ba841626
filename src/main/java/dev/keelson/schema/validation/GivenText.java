package dev.keelson.schema.validation;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Checks of strings for which an empty one is a value: those that pointers hold in Kubernetes' own
 * structs, and elements of lists. Like the checks of {@link Value}, they pass over an absent value.
 */
public final class GivenText {

  private GivenText() {}

  /** Checks a present string; {@code format} returns the problem, or an empty string. */
  public static void validate(Value value, UnaryOperator<String> format) {
    String problem = value.isText() ? format.apply(value.text()) : "";
    if (!problem.isEmpty()) {
      value.invalid(problem);
    }
  }

  /** Requires a present string to be one of {@code known}, which the cause has sorted. */
  public static void validateKnown(Value value, String... known) {
    if (value.isText() && !List.of(known).contains(value.text())) {
      value.unsupported(known);
    }
  }

  /** Requires a present string, which must not be empty, to be one of {@code known}. */
  public static void validateFilled(Value value, String... known) {
    if (value.present()) {
      value.needed().oneOf(known);
    }
  }

  /**
   * Requires a domain and a path with a slash between them; each cause shows the part that is wrong
   * (source: IsDomainPrefixedPath).
   */
  public static void validateDomainPath(Value value) {
    String text = value.text();
    int slash = text.indexOf('/');
    if (text.isEmpty()) {
      value.required();
    } else if (slash <= 0 || slash == text.length() - 1) {
      value.invalid("must be a domain-prefixed path (such as \"acme.io/foo\")");
    } else {
      String domain = text.substring(0, slash);
      String problem = Formats.DNS_SUBDOMAIN.apply(domain);
      if (!problem.isEmpty()) {
        value.invalid(domain, problem);
      }
      String path = text.substring(slash + 1);
      if (!isPath(path)) {
        value.invalid(
            path,
            "Invalid path (regex used for validation is" + " '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')");
      }
    }
  }

  private static boolean isPath(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (!letter && !(c >= '0' && c <= '9') && "/-._~%!$&'()*+,;=:".indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }
}
