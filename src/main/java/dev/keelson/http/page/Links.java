package dev.keelson.http.page;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.ApiResponse.Header;
import dev.keelson.http.Body;
import dev.keelson.http.relay.EscapedPath;
import dev.keelson.http.relay.ProxiedPath;
import dev.keelson.http.relay.Target;
import dev.keelson.value.HostPort;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rewrites URLs that a proxied server has of itself into such of the proxy, in the header Location
 * and in HTML; a redirect is never followed here (source: apimachinery's {@code proxy.Transport}).
 *
 * @param prefix the path of the proxy, decoded
 * @param target the proxied server
 * @param host the header Host of the client
 */
public record Links(String prefix, Target target, String host) {

  /** RFC 3986, appendix B; unlike {@code java.net.URI} it reads what browsers do. */
  private static final Pattern URL =
      Pattern.compile(
          "(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(?://([^/?#]*))?([^?#]*)((?:\\?[^#]*)?(?:#.*)?)");

  private static final Pattern UNREADABLE =
      Pattern.compile("[\\x00-\\x1f\\x7f]|%(?![0-9a-fA-F]{2})");
  private static final String ESCAPED = " \"<>\\^`{|}";

  /**
   * The response as the client gets it: with another Location, or with a page whose links are
   * rewritten while it is sent. Its length is not known then.
   */
  public ApiResponse rewritten(ApiResponse answer) {
    boolean redirect = !answer.header("Location").isEmpty();
    boolean page = !redirect && isHtml(answer.header("Content-Type"));
    Body body =
        page && answer.body() instanceof Body.Relayed relayed
            ? HtmlBody.of(relayed, answer.header("Content-Encoding"), this::rewritten)
            : answer.body();
    List<Header> headers = new ArrayList<>();
    for (Header header : answer.headers()) {
      if (header.name().equalsIgnoreCase("Location")) {
        headers.add(new Header(header.name(), rewritten(header.value())));
      } else if (body == answer.body() || !header.name().equalsIgnoreCase("Content-Length")) {
        headers.add(header);
      }
    }
    return new ApiResponse(answer.status(), headers, body);
  }

  private static boolean isHtml(String contentType) {
    int semicolon = contentType.indexOf(';');
    String type = semicolon < 0 ? contentType : contentType.substring(0, semicolon);
    return type.strip().equals("text/html");
  }

  /**
   * The URL as the client gets it. One of another server, and a relative one, stays as it is, and
   * so does what is no URL.
   */
  String rewritten(String url) {
    Matcher parts = URL.matcher(url);
    if (UNREADABLE.matcher(url).find() || !parts.matches()) {
      return url;
    }
    String authority = Objects.requireNonNullElse(parts.group(2), "");
    String path = parts.group(3);
    boolean ofClient = !authority.isEmpty() && authority.equals(host);
    boolean same =
        authority.isEmpty()
            || ofClient
            || authority.equals(target.host())
            || authority.equals(HostPort.join(target.host(), Integer.toString(target.port())));
    if (!same || !path.startsWith("/")) {
      return url;
    }
    String proxy = EscapedPath.of(prefix);
    String below =
        path.startsWith(proxy) || path.startsWith(prefix) ? path : proxy + ProxiedPath.clean(path);
    return (ofClient ? url.substring(0, parts.start(3)) : "") + escaped(below) + parts.group(4);
  }

  private static String escaped(String path) {
    StringBuilder escaped = new StringBuilder(path.length());
    for (byte each : path.getBytes(StandardCharsets.UTF_8)) {
      char letter = (char) (each & 0xff);
      if (letter > '~' || ESCAPED.indexOf(letter) >= 0) {
        escaped.append('%').append(Character.forDigit(letter >> 4, 16));
        escaped.append(Character.forDigit(letter & 15, 16));
      } else {
        escaped.append(letter);
      }
    }
    return escaped.toString();
  }
}
