package dev.keelson.http.health;

import java.util.Optional;

/** A health check. */
public interface HealthCheck {

  /** The name in paths and reports; unique, may contain slashes. */
  String name();

  /** The check that this one is excluded with; empty for none. */
  default Optional<String> group() {
    return Optional.empty();
  }

  /**
   * Runs the check; may block, with its own timeout.
   *
   * @return the failure, or empty if the check passes
   */
  Optional<String> failure();
}
