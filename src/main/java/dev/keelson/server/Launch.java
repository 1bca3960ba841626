package dev.keelson.server;

import org.jspecify.annotations.Nullable;

/**
 * Carries what {@link Main} opened before Quarkus to the modules that Quarkus creates. Opening
 * beside the start of Quarkus saved time, and once in a while left the start hanging, with two
 * threads that initialized classes.
 */
final class Launch {

  private static volatile @Nullable Opened opened;

  private Launch() {}

  /** Hands over what was opened; before Quarkus starts. */
  static void begin(Opened opened) {
    Launch.opened = opened;
  }

  /** What {@link Main} opened. */
  static Opened opened() {
    Opened known = opened;
    if (known == null) {
      throw new IllegalStateException("Quarkus started without Main");
    }
    return known;
  }
}
