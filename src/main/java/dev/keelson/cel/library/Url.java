package dev.keelson.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.keelson.cel.type.LibraryValue;
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
 * not parse fragments).
 *
 * @param scheme in lower case; empty for a path
 * @param host the decoded host and port
 * @param path as written, or encoded if it has invalid characters
 * @param query the text after the first question mark
 */
record Url(String scheme, String host, String path, String query) implements LibraryValue {

  /** Its type in expressions. */
  static final CelType TYPE = OpaqueType.create("kubernetes.URL");

  private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):(.*)");
  private static final Pattern AUTHORITY =
      Pattern.compile(
          "(?:[-a-zA-Z0-9._:~!$&'()*+,;=%]*@)?"
              + "((?:\\[[^\\]]*\\]|[^\\[\\]:@ \"<>^`{}|\\\\]*)(?::[0-9]*)?)");
  private static final Pattern BAD_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2})");
  private static final Pattern CONTROL = Pattern.compile("[\\x00-\\x1f\\x7f]");

  /** The characters of a path that need no encoding. */
  private static final String PATH = "-_.~$&+,/:;=@!'()*[]%";

  /**
   * Parses a URL.
   *
   * @throws IllegalArgumentException with Go's message if it is malformed
   */
  static Url parse(String text) {
    if (text.isEmpty()) {
      throw none(text, "empty url");
    }
    if (CONTROL.matcher(text).find()) {
      throw none(text, "net/url: invalid control character in URL");
    }
    Matcher schemed = SCHEME.matcher(text);
    boolean named = schemed.matches();
    String scheme = named ? schemed.group(1).toLowerCase(Locale.ROOT) : "";
    String rest = named ? schemed.group(2) : text;
    if (text.startsWith(":")) {
      throw none(text, "missing protocol scheme");
    }
    int mark = rest.indexOf('?');
    String query = mark < 0 ? "" : rest.substring(mark + 1);
    rest = mark < 0 ? rest : rest.substring(0, mark);
    if (!rest.startsWith("/")) {
      if (named) {
        return new Url(scheme, "", "", query);
      }
      throw none(text, "invalid URI for request");
    }
    String host = "";
    if (named && rest.startsWith("//")) {
      int slash = rest.indexOf('/', 2);
      String authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
      rest = slash < 0 ? "" : rest.substring(slash);
      Matcher parts = AUTHORITY.matcher(authority);
      if (!parts.matches() || BAD_ESCAPE.matcher(authority).find()) {
        throw none(text, "invalid character in host name");
      }
      host = PercentEncoding.decode(parts.group(1));
    }
    if (BAD_ESCAPE.matcher(rest).find()) {
      throw none(text, "invalid URL escape");
    }
    return new Url(scheme, host, encoded(rest), query);
  }

  private static IllegalArgumentException none(String text, String why) {
    return new IllegalArgumentException(
        "URL parse error during conversion from string: parse \"" + text + "\": " + why);
  }

  static boolean isUrl(String text) {
    try {
      Url unused = parse(text);
      return true;
    } catch (IllegalArgumentException no) {
      return false;
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
      if (part.isEmpty() || part.indexOf(';') >= 0 || BAD_ESCAPE.matcher(part).find()) {
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

  /** The path as written, if all characters are valid. */
  private static String encoded(String path) {
    StringBuilder text = new StringBuilder(path.length());
    for (byte unit : path.getBytes(StandardCharsets.UTF_8)) {
      char letter = (char) (unit & 0xff);
      boolean plain =
          letter < 0x80 && (Character.isLetterOrDigit(letter) || PATH.indexOf(letter) >= 0);
      if (plain) {
        text.append(letter);
      } else {
        text.append('%').append("%02X".formatted((int) letter));
      }
    }
    return text.toString();
  }

  @Override
  public CelType celType() {
    return TYPE;
  }
}
