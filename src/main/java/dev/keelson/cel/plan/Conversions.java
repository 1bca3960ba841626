package dev.keelson.cel.plan;

import dev.keelson.cel.type.EvaluationError;
import dev.keelson.cel.type.Times;
import dev.keelson.value.GoDuration;
import dev.keelson.value.GoFloat;
import dev.keelson.value.ValueFormatException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Conversions to and from text as cel-go has them, and time stamps with an offset from UTC. */
final class Conversions {

  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]+");

  private static final Pattern INFINITE = Pattern.compile("(?i)[+-]?inf(?:inity)?");

  private static final Pattern NUMBER =
      Pattern.compile(
          "[+-]?(?:(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
              + "|0[xX](?:[0-9a-fA-F]+\\.?[0-9a-fA-F]*|\\.[0-9a-fA-F]+)[pP][+-]?[0-9]+)");

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

  /** {@code double(value)} of a text, as Go's strconv.ParseFloat reads it; null of other values. */
  static @Nullable Double number(Object value) {
    if (!(value instanceof String text)) {
      return null;
    }
    if (text.equalsIgnoreCase("nan")) {
      return Double.NaN;
    }
    if (INFINITE.matcher(text).matches()) {
      return text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    if (NUMBER.matcher(text).matches()) {
      double number = Double.parseDouble(text);
      if (!Double.isInfinite(number)) {
        return number;
      }
    }
    throw new EvaluationError("type conversion error from 'string' to 'double'");
  }

  /**
   * {@code int(value)} and {@code uint(value)}: refuses the digits of other scripts in a text.
   *
   * @return null: the library converts
   */
  static @Nullable Object integer(Object value, String type) {
    if (value instanceof String text && !INTEGER.matcher(text).matches()) {
      throw new EvaluationError("type conversion error from 'string' to '" + type + "'");
    }
    return null;
  }

  /** {@code duration(value)} of a text, as Go reads it; null of other values. */
  static @Nullable Duration span(Object value) {
    if (!(value instanceof String text)) {
      return null;
    }
    try {
      return GoDuration.parse(text).toDuration();
    } catch (ValueFormatException e) {
      throw new EvaluationError(
          "type conversion error from 'string' to 'google.protobuf.Duration'");
    }
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
    if (value instanceof Long seconds) {
      return Times.ofSeconds(seconds);
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
