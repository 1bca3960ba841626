package dev.keelson.server;

import org.jspecify.annotations.Nullable;

/**
 * Carries what {@link Main} opened before Quarkus to the modules that Quarkus creates. Opening
 * beside the start of Quarkus saved time, and once in a while left the start hanging, with two
 * threads that initialized classes.
 */
final class LaunchContext {

  private static volatile @Nullable OpenedResources opened;

  private LaunchContext() {}

  /** Hands over what was opened; before Quarkus starts. */
  static void begin(OpenedResources opened) {
    LaunchContext.opened = opened;
  }

  /** What {@link Main} opened. */
  static OpenedResources opened() {
    OpenedResources known = opened;
    if (known == null) {
      throw new IllegalStateException("Quarkus started without Main");
    }
    return known;
  }
}
