package dev.keelson.cel.type;

import dev.keelson.value.Timestamp;
import dev.keelson.value.ValueFormatException;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/**
 * Time stamps and durations. A time stamp is an {@link Instant}, or an {@link OffsetDateTime} if it
 * was written with an offset from UTC, with which cel-go prints it. Its date and time of day are
 * those of UTC all the same (cel-go's DefaultUTCTimeZone).
 */
public final class Times {

  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private Times() {}

  /**
   * Reads RFC 3339 text.
   *
   * @return an Instant or OffsetDateTime
   * @throws ValueFormatException if it is not a time
   * @throws EvaluationError if it is beyond CEL's range
   */
  public static Object parse(String text) {
    Instant time = checked(Timestamp.parse(text).toInstant());
    int at = text.length() - "+00:00".length();
    char sign = text.charAt(at);
    if (sign != '+' && sign != '-') {
      return time;
    }
    ZoneOffset offset = ZoneOffset.of(text.substring(at));
    return offset.equals(ZoneOffset.UTC) ? time : time.atOffset(offset);
  }

  /**
   * The time stamp of a number of seconds since 1970.
   *
   * @throws EvaluationError if it is beyond CEL's range
   */
  public static Instant ofSeconds(long seconds) {
    if (seconds < FIRST.getEpochSecond() || seconds > LAST.getEpochSecond()) {
      throw new EvaluationError("timestamp overflow");
    }
    return Instant.ofEpochSecond(seconds);
  }

  /** The point in time of a value; null if it is not a time stamp. */
  public static @Nullable Instant instant(Object value) {
    return switch (value) {
      case Instant time -> time;
      case OffsetDateTime time -> time.toInstant();
      default -> null;
    };
  }

  /** Whether a value is Go's zero time. */
  public static boolean isZero(Object value) {
    return FIRST.equals(instant(value));
  }

  /**
   * A time stamp later by a duration, with the same offset.
   *
   * @throws EvaluationError if it is beyond CEL's range
   */
  public static OffsetDateTime plus(OffsetDateTime time, Duration span) {
    return checked(time.toInstant().plus(span)).atOffset(time.getOffset());
  }

  /**
   * A time stamp later by a duration.
   *
   * @throws EvaluationError if it is beyond CEL's range
   */
  public static Instant plus(Instant time, Duration span) {
    return checked(time.plus(span));
  }

  private static Instant checked(Instant time) {
    if (time.isBefore(FIRST) || time.isAfter(LAST)) {
      throw new EvaluationError("timestamp overflow");
    }
    return time;
  }

  /** A time stamp as Go prints it: with up to nine decimals, and its offset. */
  public static String text(OffsetDateTime time) {
    String offset = time.getOffset().getTotalSeconds() == 0 ? "Z" : time.getOffset().getId();
    return secondsOf(time) + fraction(time.getNano()) + offset;
  }

  /** A time stamp in UTC as Go prints it. */
  public static String text(Instant time) {
    return text(time.atOffset(ZoneOffset.UTC));
  }

  private static String secondsOf(OffsetDateTime time) {
    return "%04d-%02d-%02dT%02d:%02d:%02d"
        .formatted(
            time.getYear(),
            time.getMonthValue(),
            time.getDayOfMonth(),
            time.getHour(),
            time.getMinute(),
            time.getSecond());
  }

  private static String fraction(int nanos) {
    return nanos == 0
        ? ""
        : BigDecimal.valueOf(nanos, 9).stripTrailingZeros().toPlainString().substring(1);
  }

  /** A duration in seconds as CEL prints it. */
  public static String text(Duration span) {
    return new BigDecimal(span.getSeconds())
            .add(BigDecimal.valueOf(span.getNano(), 9))
            .stripTrailingZeros()
            .toPlainString()
        + "s";
  }
}
