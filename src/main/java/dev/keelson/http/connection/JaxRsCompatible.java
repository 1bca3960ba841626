package dev.keelson.http.connection;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides which requests can be passed to JAX-RS (Quarkus REST 3.30). It handles HEAD without the
 * message body writer and OPTIONS without a resource, collapses slashes, removes dot segments and
 * matrix parameters, and decodes an escaped slash into a path parameter; kube-apiserver does none
 * of this.
 */
final class JaxRsCompatible {

  private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");

  /** The only served path segment that begins with a dot (RFC 8615). */
  private static final String WELL_KNOWN = "/.well-known";

  private JaxRsCompatible() {}

  /**
   * Whether a request can be passed to JAX-RS.
   *
   * @param raw the path as sent; null if the request has none
   * @param path the decoded path
   */
  static boolean is(String method, @Nullable String raw, String path) {
    return raw != null
        && METHODS.contains(method)
        && raw.indexOf(';') < 0
        && isPlain(path)
        && (raw.length() == path.length() || slashes(raw) == slashes(path));
  }

  /** Whether the path is absolute, and no segment is empty or begins with a dot. */
  private static boolean isPlain(String path) {
    if (!path.startsWith("/")) {
      return false;
    }
    for (int at = path.indexOf('/', 1), last = 0;
        at >= 0;
        last = at, at = path.indexOf('/', at + 1)) {
      if (at == last + 1) {
        return false;
      }
    }
    return path.indexOf("/.", 1) < 0 && (!path.startsWith("/.") || path.startsWith(WELL_KNOWN));
  }

  private static long slashes(String path) {
    return path.chars().filter(c -> c == '/').count();
  }
}
