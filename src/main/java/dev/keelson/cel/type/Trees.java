package dev.keelson.cel.type;

import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.keelson.object.Node;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Values of CEL for JSON trees. Objects and arrays are views, converted where they are read. */
public final class Trees {

  private static final Pattern DURATION_PART =
      Pattern.compile("\\s*(\\d+(?:\\.\\d+)?)\\s*([a-zA-Zµμ]+)");

  private Trees() {}

  /**
   * The value of a tree.
   *
   * @param node null is CEL's null
   * @throws EvaluationError if the tree does not have the type
   */
  public static Object value(@Nullable Node node, DataType type) {
    return switch (node) {
      case null -> NullValue.NULL_VALUE;
      case Node.Null none -> NullValue.NULL_VALUE;
      case Node.Bool truth -> truth.value();
      case Node.Int number ->
          type.kind() == DataType.Kind.DOUBLE ? (Object) (double) number.value() : number.value();
      case Node.Decimal number -> Double.parseDouble(number.literal());
      case Node.Text text -> text(text.value(), type);
      case Node.Items items -> new TreeList(items, type, Trees::value);
      case Node.MapNode map -> new TreeMapView(map, type, Trees::value);
    };
  }

  private static Object text(String text, DataType type) {
    return switch (type.kind()) {
      case BYTES -> bytes(text);
      case DURATION -> duration(text);
      case DATE -> date(text);
      case DATE_TIME -> time(text);
      default -> text;
    };
  }

  private static CelByteString bytes(String text) {
    try {
      return CelByteString.of(Base64.getDecoder().decode(text));
    } catch (IllegalArgumentException e) {
      throw new EvaluationError("Invalid byte: " + e.getMessage());
    }
  }

  private static Instant date(String text) {
    try {
      return LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC);
    } catch (DateTimeException e) {
      throw new EvaluationError("Invalid date: " + e.getMessage());
    }
  }

  private static Instant time(String text) {
    try {
      return OffsetDateTime.parse(text.replace(' ', 'T').toUpperCase(Locale.ROOT)).toInstant();
    } catch (DateTimeException e) {
      throw new EvaluationError("Invalid date-time: " + e.getMessage());
    }
  }

  /** Go's durations, and the longer units of OpenAPI's format. */
  private static Duration duration(String text) {
    boolean negative = text.startsWith("-");
    Matcher part = DURATION_PART.matcher(text);
    int end = negative || text.startsWith("+") ? 1 : 0;
    double nanos = 0;
    if (text.equals("0")) {
      return Duration.ZERO;
    }
    while (end < text.length() && part.find(end) && part.start() == end) {
      nanos += Double.parseDouble(part.group(1)) * unit(part.group(2), text);
      end = part.end();
    }
    if (end != text.length() || text.isEmpty()) {
      throw new EvaluationError("Invalid duration: " + text);
    }
    return Duration.ofNanos((long) (negative ? -nanos : nanos));
  }

  private static double unit(String unit, String text) {
    return switch (unit) {
      case "ns", "nano", "nanosecond", "nanoseconds", "nanos" -> 1;
      case "us", "µs", "μs", "micro", "microsecond", "microseconds", "micros" -> 1e3;
      case "ms", "milli", "millisecond", "milliseconds", "millis" -> 1e6;
      case "s", "sec", "secs", "second", "seconds" -> 1e9;
      case "m", "min", "mins", "minute", "minutes" -> 60e9;
      case "h", "hr", "hour", "hours" -> 3600e9;
      case "d", "day", "days" -> 24 * 3600e9;
      case "w", "wk", "week", "weeks" -> 7 * 24 * 3600e9;
      default -> throw new EvaluationError("Invalid duration: " + text);
    };
  }
}
