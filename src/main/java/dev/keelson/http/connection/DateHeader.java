package dev.keelson.http.connection;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The value of the Date header, which every response has (RFC 9110, section 6.6.1). It is formatted
 * once a second. Safe for use by any thread.
 */
final class DateHeader {

  /** As Go's {@code http.TimeFormat}: the day has two digits. */
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  private record Formatted(long second, String text) {}

  private final InstantSource clock;

  /** Threads that replace it at the same time write the same. */
  private volatile Formatted last = new Formatted(Long.MIN_VALUE, "");

  DateHeader(InstantSource clock) {
    this.clock = clock;
  }

  /** The value at this moment. */
  String now() {
    Instant now = clock.instant();
    Formatted known = last;
    if (known.second != now.getEpochSecond()) {
      known = new Formatted(now.getEpochSecond(), FORMAT.format(now));
      last = known;
    }
    return known.text;
  }
}
