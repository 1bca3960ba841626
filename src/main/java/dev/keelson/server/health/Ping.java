package dev.keelson.server.health;

import dev.keelson.http.health.HealthCheck;
import java.util.Optional;

/** The health check {@code ping}, which always succeeds. */
public final class Ping implements HealthCheck {

  @Override
  public String name() {
    return "ping";
  }

  @Override
  public Optional<String> failure() {
    return Optional.empty();
  }
}
