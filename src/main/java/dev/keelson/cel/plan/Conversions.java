package dev.keelson.cel.plan;

import dev.keelson.cel.type.EvaluationError;
import dev.keelson.cel.type.Times;
import dev.keelson.value.GoFloat;
import dev.keelson.value.ValueFormatException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Conversions to and from text as cel-go has them, and time stamps with an offset from UTC. */
final class Conversions {

  private Conversions() {}

  /** {@code string(value)}; null for values that the library prints. */
  static @Nullable String text(Object value) {
    return switch (value) {
      case Double number when number.isNaN() -> "NaN";
      case Double number when number.isInfinite() -> number > 0 ? "+Inf" : "-Inf";
      case Double number -> GoFloat.print(number);
      case Instant time -> Times.text(time);
      case OffsetDateTime time -> Times.text(time);
      case Duration span -> Times.text(span);
      default -> null;
    };
  }

  /** {@code bool(value)} of a text, as Go's strconv.ParseBool reads it; null of other values. */
  static @Nullable Boolean truth(Object value) {
    if (!(value instanceof String text)) {
      return null;
    }
    return switch (text) {
      case "1", "t", "T", "true", "TRUE", "True" -> true;
      case "0", "f", "F", "false", "FALSE", "False" -> false;
      default -> throw new EvaluationError("type conversion error from 'string' to 'bool'");
    };
  }

  /** {@code timestamp(value)}; null for values that the library converts. */
  static @Nullable Object timestamp(Object value) {
    if (value instanceof String text) {
      try {
        return Times.parse(text);
      } catch (ValueFormatException e) {
        throw new EvaluationError(
            "type conversion error from 'string' to 'google.protobuf.Timestamp'");
      }
    }
    return Times.instant(value) == null ? null : value;
  }

  /** {@code optional.ofNonZeroValue(value)} of a time stamp; null for other values. */
  static @Nullable Object nonZero(Object value) {
    if (Times.instant(value) == null) {
      return null;
    }
    return Times.isZero(value) ? Optional.empty() : Optional.of(value);
  }
}
