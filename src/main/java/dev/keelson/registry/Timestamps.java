package dev.keelson.registry;

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** The present as metadata writes it: RFC 3339 in whole seconds, UTC. */
final class Timestamps {
  private final InstantSource clock;

  Timestamps(InstantSource clock) {
    this.clock = clock;
  }

  String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
