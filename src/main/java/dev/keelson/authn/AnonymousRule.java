package dev.keelson.authn;

import java.util.List;

/**
 * Whether requests without credentials are served.
 *
 * @param enabled whether they are at all
 * @param paths the only paths where they are; empty for all
 */
public record AnonymousRule(boolean enabled, List<String> paths) {

  public AnonymousRule {
    paths = List.copyOf(paths);
  }

  /** On every path, or on none. */
  public static AnonymousRule of(boolean enabled) {
    return new AnonymousRule(enabled, List.of());
  }

  boolean at(String path) {
    return enabled && (paths.isEmpty() || paths.contains(path));
  }
}
