package dev.keelson.server.health;

import dev.keelson.http.health.HealthCheck;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A health check from a function.
 *
 * @param name the name of the check
 * @param check returns the failure, or empty if the check passes
 */
public record NamedCheck(String name, Supplier<Optional<String>> check) implements HealthCheck {

  /** The same check under another name. */
  public static NamedCheck of(String name, HealthCheck same) {
    return new NamedCheck(name, same::failure);
  }

  @Override
  public Optional<String> failure() {
    return check.get();
  }
}
