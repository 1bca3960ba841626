package dev.keelson.authn;

import java.util.List;

/**
 * Whether requests without credentials are served.
 *
 * @param enabled whether they are at all
 * @param paths the only paths where they are; empty for all
 */
public record AnonymousAuthConfig(boolean enabled, List<String> paths) {

  public AnonymousAuthConfig {
    paths = List.copyOf(paths);
  }

  /** On every path, or on none. */
  public static AnonymousAuthConfig of(boolean enabled) {
    return new AnonymousAuthConfig(enabled, List.of());
  }

  boolean at(String path) {
    return enabled && (paths.isEmpty() || paths.contains(path));
  }
}
