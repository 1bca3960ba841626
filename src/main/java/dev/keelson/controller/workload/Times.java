package dev.keelson.controller.workload;

import dev.keelson.value.SharedInstances;
import dev.keelson.value.Timestamp;
import dev.keelson.value.ValueFormatException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The times of objects, in seconds. */
public final class Times {

  private static final SharedInstances<Instant> RECENT = new SharedInstances<>();

  private Times() {}

  /** Reads a time; the epoch if there is none. */
  public static Instant instant(String time) {
    try {
      return time.isEmpty() ? Instant.EPOCH : RECENT.of(Timestamp.parse(time).toInstant());
    } catch (ValueFormatException | DateTimeException e) {
      // not written by a server
      return Instant.EPOCH;
    }
  }

  /** A time as Kubernetes writes it. */
  public static String text(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
