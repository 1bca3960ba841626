package dev.keelson.server.embedded;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** The time of the system, moved forward. Safe for use by several threads. */
public final class MovableClock implements InstantSource {

  private final InstantSource system;
  private final AtomicReference<Duration> offset = new AtomicReference<>(Duration.ZERO);

  /** A clock that shows the time of {@code system} until it is moved. */
  public MovableClock(InstantSource system) {
    this.system = system;
  }

  @Override
  public Instant instant() {
    return system.instant().plus(offset.get());
  }

  /**
   * Moves the clock forward.
   *
   * @return how far it is ahead of the system now
   * @throws IllegalArgumentException if {@code time} is negative: certificates, tokens and
   *     revisions are made for time that does not go back
   */
  public Duration advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("time does not go back: " + time);
    }
    return offset.updateAndGet(ahead -> ahead.plus(time));
  }
}
