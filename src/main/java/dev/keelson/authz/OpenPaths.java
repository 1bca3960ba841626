package dev.keelson.authz;

import java.util.List;

/**
 * Paths that everyone may get ({@code --authorization-always-allow-paths}).
 *
 * @param paths a trailing {@code *} matches any suffix
 */
public record OpenPaths(List<String> paths) {

  public OpenPaths {
    paths = List.copyOf(paths);
  }

  /** Whether a path is open. */
  public boolean has(String path) {
    for (String open : paths) {
      boolean matches =
          open.endsWith("*")
              ? path.startsWith(open.substring(0, open.length() - 1))
              : path.equals(open);
      if (matches) {
        return true;
      }
    }
    return false;
  }
}
