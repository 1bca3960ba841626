package dev.keelson.server.health;

import dev.keelson.http.health.HealthCheck;
import java.util.Optional;

/** Shows that requests are answered at all: whoever reads the answer has it. */
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
