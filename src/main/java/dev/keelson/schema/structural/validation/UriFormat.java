package dev.keelson.schema.structural.validation;

/** URIs as Go's {@code url.ParseRequestURI} reads them: absolute, or an absolute path. */
final class UriFormat {

  private static final String HOST_MARKS = "-_.~!$&'()*+,;=:[]<>\"";
  private static final String USER_MARKS = "-._:~!$&'()*+,;=%@";

  private UriFormat() {}

  static boolean isRequestUri(String text) {
    if (text.isEmpty() || text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      return false;
    }
    if (text.equals("*")) {
      return true;
    }
    int colon = schemeEnd(text);
    if (colon == 0) {
      return false;
    }
    String rest = colon < 0 ? text : text.substring(colon + 1);
    int query = rest.indexOf('?');
    rest = query < 0 ? rest : rest.substring(0, query);
    if (!rest.startsWith("/")) {
      // an opaque URI such as a mailto
      return colon > 0;
    }
    if (colon > 0 && rest.startsWith("//")) {
      int slash = rest.indexOf('/', 2);
      String authority = rest.substring(2, slash < 0 ? rest.length() : slash);
      if (!isAuthority(authority)) {
        return false;
      }
      rest = slash < 0 ? "" : rest.substring(slash);
    }
    return isEscaped(rest);
  }

  /** The index of the colon behind the scheme; -1 if there is no scheme. */
  private static int schemeEnd(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ':') {
        return i;
      }
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      boolean other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
      if (!letter && !(other && i > 0)) {
        return -1;
      }
    }
    return -1;
  }

  private static boolean isAuthority(String authority) {
    int at = authority.lastIndexOf('@');
    if (at >= 0) {
      String user = authority.substring(0, at);
      if (!user.chars().allMatch(c -> isAlphanumeric(c) || USER_MARKS.indexOf(c) >= 0)
          || !isEscaped(user)) {
        return false;
      }
    }
    String host = authority.substring(at + 1);
    int port = host.startsWith("[") ? host.indexOf(']') + 1 : host.lastIndexOf(':');
    if (host.startsWith("[")) {
      if (port == 0) {
        return false;
      }
      return isPort(host.substring(port)) && isHost(host.substring(0, port));
    }
    return port < 0
        ? isHost(host)
        : isPort(host.substring(port)) && isHost(host.substring(0, port));
  }

  private static boolean isPort(String text) {
    return text.isEmpty()
        || (text.charAt(0) == ':' && text.chars().skip(1).allMatch(c -> c >= '0' && c <= '9'));
  }

  private static boolean isHost(String host) {
    for (int i = 0; i < host.length(); i++) {
      char c = host.charAt(i);
      if (c == '%') {
        // only bytes beyond ASCII may be escaped in a host, and the zone of an address
        if (!isEscape(host, i) || (host.charAt(i + 1) < '8' && !host.startsWith("%25", i))) {
          return false;
        }
      } else if (c < 0x80 && !isAlphanumeric(c) && HOST_MARKS.indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isEscaped(String text) {
    for (int i = text.indexOf('%'); i >= 0; i = text.indexOf('%', i + 1)) {
      if (!isEscape(text, i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isEscape(String text, int at) {
    return at + 2 < text.length()
        && Character.digit(text.charAt(at + 1), 16) >= 0
        && Character.digit(text.charAt(at + 2), 16) >= 0;
  }

  private static boolean isAlphanumeric(int c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }
}
