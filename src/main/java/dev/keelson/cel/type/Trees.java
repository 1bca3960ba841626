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
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  /** The largest integer that JSON's numbers have exactly, in Kubernetes' conversion of values. */
  private static final long SAFE_INTEGER = (1L << 53) - 1;

  /**
   * A value as JSON (source: cel-go's conversion to google.protobuf.Value): bytes are base64, times
   * and durations are strings, and so are integers that are not exact as floating-point numbers.
   *
   * @throws EvaluationError if the value has no form in JSON
   */
  public static Node node(Object value) {
    return switch (value) {
      case NullValue none -> Node.Null.NULL;
      case Boolean truth -> Node.Bool.of(truth);
      case Long number ->
          Math.abs(number) <= SAFE_INTEGER
              ? new Node.Int(number)
              : Node.text(Long.toString(number));
      case Double number -> number(number);
      case String text -> Node.text(text);
      case CelByteString bytes ->
          Node.text(Base64.getEncoder().encodeToString(bytes.toByteArray()));
      case Instant time -> Node.text(time.toString());
      case Duration span -> Node.text(seconds(span));
      case TreeList list -> new Node.Items(list.trees());
      case TreeMapView map -> map.tree();
      case List<?> list -> new Node.Items(list.stream().map(Trees::node).toList());
      case Map<?, ?> map -> object(map);
      case Number number -> new Node.Decimal(number.toString());
      default -> throw new EvaluationError("unable to convert to JSON: " + value.getClass());
    };
  }

  private static Node number(double number) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      throw new EvaluationError("unable to convert to JSON: " + number);
    }
    return number == Math.rint(number) && Math.abs(number) <= SAFE_INTEGER
        ? new Node.Int((long) number)
        : new Node.Decimal(Double.toString(number));
  }

  private static String seconds(Duration span) {
    java.math.BigDecimal seconds =
        java.math.BigDecimal.valueOf(span.getSeconds())
            .add(java.math.BigDecimal.valueOf(span.getNano(), 9))
            .stripTrailingZeros();
    return seconds.toPlainString() + "s";
  }

  private static Node object(Map<?, ?> map) {
    Node.MapNode.Builder object = Node.MapNode.builder(map.size());
    map.forEach(
        (key, value) -> {
          if (!(key instanceof String name)) {
            throw new EvaluationError("map key \"" + key + "\" is not a string");
          }
          object.put(name, node(value));
        });
    return object.build();
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

  private static Object time(String text) {
    try {
      OffsetDateTime time = OffsetDateTime.parse(text.replace(' ', 'T').toUpperCase(Locale.ROOT));
      return time.getOffset().equals(ZoneOffset.UTC) ? time.toInstant() : time;
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
