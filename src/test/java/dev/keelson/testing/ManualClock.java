package dev.keelson.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that only advances when told to. */
public final class ManualClock implements InstantSource {

  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2030-01-02T03:04:05.678Z"));

  @Override
  public Instant instant() {
    return now.get();
  }

  /** Advances the clock. */
  public void advance(Duration time) {
    Instant moved = now.updateAndGet(instant -> instant.plus(time));
    if (time.isNegative()) {
      throw new IllegalArgumentException("time does not go back: " + moved);
    }
  }
}
