package dev.keelson.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.keelson.cel.type.LibraryValue;
import dev.keelson.value.GoQuote;
import dev.keelson.value.PercentEncoding;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An absolute URL or path in an expression (source: Go's {@code url.ParseRequestURI}, which does
 * not know fragments and decides what is one, and {@code url.Parse}, which parses it).
 *
 * @param scheme in lower case; empty for a path
 * @param user the user information as written; empty if there is none
 * @param host the decoded host and port
 * @param path as written, or encoded if it has invalid characters
 * @param query the text after the first question mark
 * @param fragment the text after the number sign
 */
record Url(String scheme, String user, String host, String path, String query, String fragment)
    implements LibraryValue {

  /** Its type in expressions. */
  static final CelType TYPE = OpaqueType.create("kubernetes.URL");

  private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):");
  private static final Pattern USER = Pattern.compile("[a-zA-Z0-9._:~!$&'()*+,;=%@-]*");
  private static final Pattern PORT = Pattern.compile("(?::[0-9]*)?");
  private static final Pattern NOT_IN_HOST = Pattern.compile("[ #/?@\\\\^`{|}]");
  private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f\\x7f]");

  /** The characters of a path as it may be written. */
  private static final String WRITTEN = "-_.~$&+,/:;=@!'()*[]%";

  /** The characters that are not encoded in a path. */
  private static final String PLAIN = "-_.~$&+,/:;=@";

  /**
   * Parses a URL.
   *
   * @throws IllegalArgumentException with Go's message if it is malformed
   */
  static Url parse(String text) {
    String problem = problem(text);
    if (!problem.isEmpty()) {
      throw new IllegalArgumentException(
          "URL parse error during conversion from string: " + problem);
    }
    int mark = text.indexOf('#');
    try {
      String plain = mark < 0 ? text : text.substring(0, mark);
      String fragment = mark < 0 ? "" : text.substring(mark + 1);
      requireEscapes(fragment);
      return parse(plain, fragment, /* request= */ false);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "URL parse error during conversion from string: " + shown(text, e), e);
    }
  }

  /** Go's message if a text is no absolute URL or path; empty if it is one. */
  static String problem(String text) {
    try {
      Url unused = parse(text, "", /* request= */ true);
      return "";
    } catch (IllegalArgumentException e) {
      return shown(text, e);
    }
  }

  static boolean isUrl(String text) {
    return problem(text).isEmpty();
  }

  private static String shown(String text, IllegalArgumentException problem) {
    return "parse " + GoQuote.quote(text) + ": " + problem.getMessage();
  }

  /**
   * Parses a URL without its fragment.
   *
   * @param request whether it must be absolute, and a path is not one with a host
   */
  private static Url parse(String text, String fragment, boolean request) {
    if (CONTROL.matcher(text).find()) {
      throw new IllegalArgumentException("net/url: invalid control character in URL");
    }
    if (text.isEmpty() && request) {
      throw new IllegalArgumentException("empty url");
    }
    if (text.startsWith(":")) {
      throw new IllegalArgumentException("missing protocol scheme");
    }
    Matcher schemed = SCHEME.matcher(text);
    boolean named = schemed.lookingAt();
    String scheme = named ? schemed.group(1).toLowerCase(Locale.ROOT) : "";
    String rest = named ? text.substring(schemed.end()) : text;
    int mark = rest.indexOf('?');
    String query = mark < 0 ? "" : rest.substring(mark + 1);
    rest = mark < 0 ? rest : rest.substring(0, mark);
    if (!rest.startsWith("/") && !text.equals("*")) {
      if (named) {
        return new Url(scheme, "", "", "", query, fragment);
      }
      throw new IllegalArgumentException("invalid URI for request");
    }
    String user = "";
    String host = "";
    if (rest.startsWith("//") && (named || !(request || rest.startsWith("///")))) {
      int slash = rest.indexOf('/', 2);
      String authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
      rest = slash < 0 ? "" : rest.substring(slash);
      int at = authority.lastIndexOf('@');
      host = host(authority.substring(at + 1));
      user = at < 0 ? "" : user(authority.substring(0, at));
    }
    requireEscapes(rest);
    return new Url(scheme, user, host, encoded(rest), query, fragment);
  }

  private static String host(String host) {
    int colon = host.indexOf(':');
    if (host.startsWith("[")) {
      int bracket = host.lastIndexOf(']');
      if (bracket < 0) {
        throw new IllegalArgumentException("missing ']' in host");
      }
      colon = bracket + 1;
    }
    String port = colon < 0 ? "" : host.substring(colon);
    if (!PORT.matcher(port).matches()) {
      throw new IllegalArgumentException("invalid port " + GoQuote.quote(port) + " after host");
    }
    requireEscapes(host);
    Matcher wrong = NOT_IN_HOST.matcher(host);
    if (wrong.find()) {
      throw new IllegalArgumentException(
          "invalid character " + GoQuote.quote(wrong.group()) + " in host name");
    }
    return PercentEncoding.decode(host);
  }

  private static String user(String user) {
    if (!USER.matcher(user).matches()) {
      throw new IllegalArgumentException("net/url: invalid userinfo");
    }
    requireEscapes(user);
    return user;
  }

  private static void requireEscapes(String part) {
    for (int at = part.indexOf('%'); at >= 0; at = part.indexOf('%', at + 3)) {
      String escape = part.substring(at, Math.min(at + 3, part.length()));
      if (!PercentEncoding.isWellFormed(escape)) {
        throw new IllegalArgumentException("invalid URL escape " + GoQuote.quote(escape));
      }
    }
  }

  /** The host without port and without the brackets of an IPv6 address. */
  String hostname() {
    String name = port().isEmpty() && !host.endsWith(":") ? host : host.substring(0, colon());
    return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
  }

  /** The port, or empty. */
  String port() {
    return colon() < 0 ? "" : host.substring(colon() + 1);
  }

  private int colon() {
    int colon = host.lastIndexOf(':');
    return colon > host.lastIndexOf(']') ? colon : -1;
  }

  /** The values of the query by name; malformed parts are omitted. */
  Map<String, List<String>> values() {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String part : query.split("&", -1)) {
      if (part.isEmpty() || part.indexOf(';') >= 0 || !PercentEncoding.isWellFormed(part)) {
        continue;
      }
      int sign = part.indexOf('=');
      String key = sign < 0 ? part : part.substring(0, sign);
      String value = sign < 0 ? "" : part.substring(sign + 1);
      values
          .computeIfAbsent(
              URLDecoder.decode(key, StandardCharsets.UTF_8), name -> new ArrayList<>())
          .add(URLDecoder.decode(value, StandardCharsets.UTF_8));
    }
    return values;
  }

  /** The path as written, if all characters are valid; otherwise all of it is encoded. */
  private static String encoded(String path) {
    return path.chars().allMatch(letter -> isOneOf(WRITTEN, letter))
        ? path
        : escaped(PercentEncoding.decode(path));
  }

  private static boolean isOneOf(String characters, int letter) {
    return letter < 0x80 && (Character.isLetterOrDigit(letter) || characters.indexOf(letter) >= 0);
  }

  private static String escaped(String path) {
    StringBuilder text = new StringBuilder(path.length());
    for (byte unit : path.getBytes(StandardCharsets.UTF_8)) {
      int letter = unit & 0xff;
      if (isOneOf(PLAIN, letter)) {
        text.append((char) letter);
      } else {
        text.append('%').append("%02X".formatted(letter));
      }
    }
    return text.toString();
  }

  @Override
  public CelType celType() {
    return TYPE;
  }
}
