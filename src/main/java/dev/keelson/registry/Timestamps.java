package dev.keelson.registry;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** The current time as in metadata: RFC 3339 in whole seconds, UTC. */
public final class Timestamps {

  /** 9999-12-31T23:59:59Z; not parsed, which loads the classes of date formats at the start. */
  private static final Instant LAST = Instant.ofEpochSecond(253_402_300_799L);

  private final InstantSource clock;

  public Timestamps(InstantSource clock) {
    this.clock = clock;
  }

  public String now() {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** The time {@code seconds} from now; at most the year 9999. */
  public String inSeconds(long seconds) {
    Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
    long most = LAST.getEpochSecond() - now.getEpochSecond();
    return now.plusSeconds(Math.min(seconds, most)).toString();
  }
}
