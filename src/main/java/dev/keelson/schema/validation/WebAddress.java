package dev.keelson.schema.validation;

import dev.keelson.value.GoQuote;
import dev.keelson.value.PercentEncoding;
import dev.keelson.value.ValueFormatException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a URL that validation looks at (source: Go's {@code url.Parse}, which takes more
 * texts than the JDK).
 *
 * @param scheme in lower case; empty if there is none
 * @param user the user information as written; null if there is none
 * @param host the host and port as written; empty if there is none
 * @param query the text after the first question mark
 * @param fragment the decoded text after the first number sign
 */
record WebAddress(
    String scheme, @Nullable String user, String host, String query, String fragment) {

  private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):");
  private static final Pattern USER = Pattern.compile("[a-zA-Z0-9._:~!$&'()*+,;=%@-]*");

  /** Characters that a host must not have. */
  private static final Pattern NOT_IN_HOST = Pattern.compile("[\\x00-\\x20#/?@\\\\^`{|}\\x7f]");

  private static final Pattern PORT = Pattern.compile(":[0-9]*");

  /**
   * Parses a URL.
   *
   * @throws ValueFormatException with Go's message if it is malformed
   */
  static WebAddress parse(String text) {
    int mark = text.indexOf('#');
    String plain = mark < 0 ? text : text.substring(0, mark);
    String fragment = mark < 0 ? "" : text.substring(mark + 1);
    if (plain.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      throw none(text, "net/url: invalid control character in URL");
    }
    if (plain.startsWith(":")) {
      throw none(text, "missing protocol scheme");
    }
    Matcher schemed = SCHEME.matcher(plain);
    boolean named = schemed.lookingAt();
    String scheme = named ? schemed.group(1).toLowerCase(Locale.ROOT) : "";
    String rest = named ? plain.substring(schemed.end()) : plain;
    int question = rest.indexOf('?');
    String query = question < 0 ? "" : rest.substring(question + 1);
    rest = question < 0 ? rest : rest.substring(0, question);
    boolean opaque = named && !rest.startsWith("/");
    if (!named && !rest.startsWith("/") && rest.split("/", 2)[0].indexOf(':') >= 0) {
      throw none(text, "first path segment in URL cannot contain colon");
    }
    String user = null;
    String host = "";
    if (rest.startsWith("//") && (named || !rest.startsWith("///"))) {
      int slash = rest.indexOf('/', 2);
      String authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
      rest = slash < 0 ? "" : rest.substring(slash);
      int at = authority.lastIndexOf('@');
      user = at < 0 ? null : authority.substring(0, at);
      host = authority.substring(at + 1);
      requireHost(text, host);
      if (user != null && !USER.matcher(user).matches()) {
        throw none(text, "net/url: invalid userinfo");
      }
    }
    for (String part : new String[] {opaque ? "" : rest, user == null ? "" : user, fragment}) {
      requireEscapes(text, part);
    }
    return new WebAddress(scheme, user, host, query, PercentEncoding.decode(fragment));
  }

  private static void requireHost(String text, String host) {
    int bracket = host.lastIndexOf(']');
    if (host.startsWith("[") && bracket < 0) {
      throw none(text, "missing ']' in host");
    }
    int colon = host.startsWith("[") ? bracket + 1 : host.lastIndexOf(':');
    String port = colon < 0 ? "" : host.substring(colon);
    if (!port.isEmpty() && !PORT.matcher(port).matches()) {
      throw none(text, "invalid port " + GoQuote.quote(port) + " after host");
    }
    requireEscapes(text, host);
    Matcher wrong = NOT_IN_HOST.matcher(host);
    if (wrong.find()) {
      throw none(text, "invalid character " + GoQuote.quote(wrong.group()) + " in host name");
    }
  }

  private static void requireEscapes(String text, String part) {
    for (int at = part.indexOf('%'); at >= 0; at = part.indexOf('%', at + 3)) {
      String escape = part.substring(at, Math.min(at + 3, part.length()));
      if (!PercentEncoding.isWellFormed(escape)) {
        throw none(text, "invalid URL escape " + GoQuote.quote(escape));
      }
    }
  }

  private static ValueFormatException none(String text, String why) {
    return new ValueFormatException("parse " + GoQuote.quote(text) + ": " + why);
  }
}
