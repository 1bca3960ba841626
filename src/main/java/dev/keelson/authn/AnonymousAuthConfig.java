package dev.keelson.authn;

import java.util.List;

/**
 * Configures anonymous requests.
 *
 * @param enabled whether requests without credentials are served
 * @param paths the only paths where they are served; empty for all
 */
public record AnonymousAuthConfig(boolean enabled, List<String> paths) {

  public AnonymousAuthConfig {
    paths = List.copyOf(paths);
  }

  /** Enables or disables anonymous requests on every path. */
  public static AnonymousAuthConfig of(boolean enabled) {
    return new AnonymousAuthConfig(enabled, List.of());
  }

  boolean at(String path) {
    return enabled && (paths.isEmpty() || paths.contains(path));
  }
}
