package dev.keelson.http.health;

import java.util.Optional;

/** One thing that must be well. */
public interface HealthCheck {

  /** The name in paths and reports; unique, and may hold slashes. */
  String name();

  /**
   * Looks now; may block, and must end by itself.
   *
   * @return what is wrong, or empty if nothing is
   */
  Optional<String> failure();
}
