package dev.keelson.http.filter;

import com.google.re2j.Pattern;
import dev.keelson.http.ApiRequest;
import java.util.List;

/**
 * Recognizes requests that a page of another origin causes. A browser answers the server's request
 * for a client certificate whichever page asks, and a page may send a body without a media type,
 * which is read as JSON, without a preflight request. Certificates therefore do not count for these
 * requests, unless the origin is one of {@code --cors-allowed-origins}. Clients that are no browser
 * send none of the headers, or an Origin that is the server's own.
 *
 * @param allowed patterns that are found in allowed origins
 */
record OtherOrigins(List<Pattern> allowed) {

  /** Whether a page of an origin that is not allowed caused the request. */
  boolean caused(ApiRequest request) {
    String origin = request.header("Origin");
    if (!origin.isEmpty()) {
      return !isOwn(origin, request)
          && allowed.stream().noneMatch(each -> each.matcher(origin).find());
    }
    String site = request.header("Sec-Fetch-Site");
    return !(site.isEmpty() || site.equals("same-origin") || site.equals("none"));
  }

  /** Whether the origin names the authority that the request was sent to. */
  private static boolean isOwn(String origin, ApiRequest request) {
    String host = request.header(":authority");
    String authority = host.isEmpty() ? request.header("Host") : host;
    int scheme = origin.indexOf("://");
    return scheme > 0 && withoutPort(origin.substring(scheme + 3)).equals(withoutPort(authority));
  }

  /** Without the port of HTTPS, which a browser omits and a client may name. */
  private static String withoutPort(String authority) {
    return authority.endsWith(":443")
        ? authority.substring(0, authority.length() - ":443".length())
        : authority;
  }
}
