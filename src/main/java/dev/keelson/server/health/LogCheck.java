package dev.keelson.server.health;

import dev.keelson.http.health.HealthCheck;
import java.util.Optional;

/** The health check {@code log}: whether the log can still be written and flushed. */
public final class LogCheck implements HealthCheck {

  @Override
  public String name() {
    return "log";
  }

  @Override
  public Optional<String> failure() {
    return System.out.checkError() ? Optional.of("the log cannot be written") : Optional.empty();
  }
}
