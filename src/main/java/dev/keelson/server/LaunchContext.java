package dev.keelson.server;

import org.jspecify.annotations.Nullable;

/**
 * Passes the resources that {@link Main} opened before Quarkus to the CDI modules. Opening them
 * concurrently with the start of Quarkus saved time but sometimes deadlocked in class
 * initialization.
 */
final class LaunchContext {

  private static volatile @Nullable OpenedResources opened;

  private LaunchContext() {}

  /** Sets the resources, before Quarkus starts. */
  static void begin(OpenedResources opened) {
    LaunchContext.opened = opened;
  }

  /** Returns the resources that {@link Main} opened. */
  static OpenedResources opened() {
    OpenedResources known = opened;
    if (known == null) {
      throw new IllegalStateException("Quarkus started without Main");
    }
    return known;
  }
}
