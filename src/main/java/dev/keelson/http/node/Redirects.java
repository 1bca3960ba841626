package dev.keelson.http.node;

import dev.keelson.http.relay.ProxiedPath;
import dev.keelson.http.relay.Target;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;

/**
 * Rewrites a redirect of a proxied server to itself into one to the proxy; it is never followed
 * here (source: {@code rewriteURL} of apimachinery's {@code proxy.Transport}).
 *
 * @param prefix the path of the proxy
 * @param target the proxied server
 * @param host the header Host of the client
 */
record Redirects(String prefix, Target target, String host) {

  /** The Location as the client gets it. */
  String rewritten(String location) {
    URI url;
    try {
      url = new URI(location);
    } catch (URISyntaxException _) {
      return location;
    }
    String authority = Objects.requireNonNullElse(url.getRawAuthority(), "");
    String path = Objects.requireNonNullElse(url.getRawPath(), "");
    boolean same =
        authority.isEmpty()
            || authority.equals(host)
            || authority.equals(Passing.authority(target))
            || authority.equals(target.host());
    if (!same || !path.startsWith("/") || url.isOpaque()) {
      return location;
    }
    String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
    String fragment = url.getRawFragment() == null ? "" : "#" + url.getRawFragment();
    String below = path.startsWith(prefix) ? path : prefix + ProxiedPath.clean(path);
    return below + query + fragment;
  }
}
