package dev.keelson.cel.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.keelson.cel.library.FunctionDeclarations.Type;
import dev.keelson.cel.type.Times;
import dev.keelson.cel.type.Values;
import dev.keelson.value.GoFloat;
import dev.keelson.value.GoQuote;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * {@code format} of CEL's strings (source: cel-go's ext/formatting.go, which is for version 2 of
 * the library). What is inside a list or map is written as in an expression.
 */
final class StringFormat {

  private static final int DEFAULT_PRECISION = 6;
  private static final String SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  private StringFormat() {}

  static void addTo(FunctionDeclarations list) {
    list.member(
        "format",
        "string_format",
        SimpleType.STRING,
        new Type<>(SimpleType.STRING, String.class),
        new Type<>(ListType.create(SimpleType.DYN), List.class),
        StringFormat::text);
  }

  /** Arguments without a clause are left out; the compiler reports those that it sees. */
  private static String text(String format, List<?> arguments) {
    return FormatClauses.format(
            format,
            arguments.size(),
            (verb, argument, precision) -> formatted(verb, arguments.get(argument), precision))
        .text();
  }

  private static String formatted(char verb, Object value, @Nullable Integer precision) {
    return switch (verb) {
      case 's' -> string(value);
      case 'd' -> decimal(value);
      case 'f' -> fixed(value, precision == null ? DEFAULT_PRECISION : precision);
      case 'e' -> scientific(value);
      case 'b' -> value instanceof Boolean truth ? (truth ? "1" : "0") : based(value, 2, verb);
      case 'o' -> based(value, 8, verb);
      case 'x' -> hex(value);
      default -> hex(value).toUpperCase(Locale.ROOT);
    };
  }

  private static String string(Object value) {
    return switch (value) {
      case String plain -> plain;
      case Boolean truth -> truth.toString();
      case NullValue none -> "null";
      case Long number -> number.toString();
      case UnsignedLong number -> number.toString();
      case Double number when number.isNaN() -> "NaN";
      case Double number when number.isInfinite() -> number > 0 ? "+Inf" : "-Inf";
      case Double number -> GoFloat.print(number);
      case CelByteString bytes -> new String(bytes.toByteArray(), StandardCharsets.UTF_8);
      case Instant time -> Times.text(time);
      case OffsetDateTime time -> Times.text(time);
      case Duration span -> Times.text(span);
      case TypeType type -> type.containingTypeName();
      case List<?> list -> list(list);
      case Map<?, ?> map -> map(map);
      default -> throw wrong('s', value);
    };
  }

  private static String list(List<?> list) {
    List<String> items = new ArrayList<>(list.size());
    list.forEach(item -> items.add(literal(item)));
    return "[" + String.join(", ", items) + "]";
  }

  private static String map(Map<?, ?> map) {
    Map<String, String> entries = new TreeMap<>();
    map.forEach((key, value) -> entries.put(key(key), literal(value)));
    List<String> items = new ArrayList<>(entries.size());
    entries.forEach((key, value) -> items.add(key + ":" + value));
    return "{" + String.join(", ", items) + "}";
  }

  private static String key(Object key) {
    return switch (key) {
      case String text -> GoQuote.quote(text);
      case Boolean truth -> truth.toString();
      case Long number -> number.toString();
      case UnsignedLong number -> number.toString();
      default ->
          throw new IllegalArgumentException(
              "no formatting function for map key of type " + typeName(key));
    };
  }

  /** A value as an expression writes it. */
  private static String literal(Object value) {
    return switch (value) {
      case String text -> GoQuote.quote(text);
      case CelByteString bytes -> "b" + GoQuote.quote(string(bytes));
      case Double number when number.isNaN() || number.isInfinite() ->
          GoQuote.quote(string(number));
      case Double number -> plain(number, DEFAULT_PRECISION);
      case Instant time -> "timestamp(" + GoQuote.quote(Times.text(time)) + ")";
      case OffsetDateTime time -> "timestamp(" + GoQuote.quote(Times.text(time)) + ")";
      case Duration span -> "duration(" + GoQuote.quote(Times.text(span)) + ")";
      case Boolean _, NullValue _, Long _, UnsignedLong _, TypeType _, List<?> _, Map<?, ?> _ ->
          string(value);
      default ->
          throw new IllegalArgumentException("no formatting function for " + typeName(value));
    };
  }

  private static String decimal(Object value) {
    return switch (value) {
      case Long number -> number.toString();
      case UnsignedLong number -> number.toString();
      default -> throw wrong('d', value);
    };
  }

  /** The number that a clause for numbers takes; text may be one that literals cannot be. */
  private static double number(char verb, Object value) {
    return switch (value) {
      case Double number -> number;
      case String text when text.equals("NaN") -> Double.NaN;
      case String text when text.equals("Infinity") -> Double.POSITIVE_INFINITY;
      case String text when text.equals("-Infinity") -> Double.NEGATIVE_INFINITY;
      default -> throw wrong(verb, value);
    };
  }

  /** A number without digits, as the locale writes it; empty if it has digits. */
  private static String withoutDigits(double number) {
    if (Double.isNaN(number)) {
      return "NaN";
    }
    return Double.isInfinite(number) ? (number > 0 ? "∞" : "-∞") : "";
  }

  private static String plain(double number, int precision) {
    String digits =
        new BigDecimal(number).abs().setScale(precision, RoundingMode.HALF_EVEN).toPlainString();
    return Double.doubleToRawLongBits(number) < 0 ? "-" + digits : digits;
  }

  private static String fixed(Object value, int precision) {
    double number = number('f', value);
    String word = withoutDigits(number);
    if (!word.isEmpty()) {
      return word;
    }
    // the locale is American English, with groups of three digits
    String plain = plain(number, precision);
    int first = plain.startsWith("-") ? 1 : 0;
    int point = plain.indexOf('.');
    StringBuilder grouped = new StringBuilder(plain);
    for (int i = (point < 0 ? plain.length() : point) - 3; i > first; i -= 3) {
      grouped.insert(i, ',');
    }
    return grouped.toString();
  }

  /** Always with the same precision: that of the clause is taken for the width, as in cel-go. */
  private static String scientific(Object value) {
    double number = number('e', value);
    String word = withoutDigits(number);
    if (!word.isEmpty()) {
      return word;
    }
    String plain = String.format(Locale.ROOT, "%." + DEFAULT_PRECISION + "e", number);
    int e = plain.indexOf('e');
    StringBuilder exponent = new StringBuilder();
    for (char digit : plain.substring(e + 1).toCharArray()) {
      if (digit == '-') {
        exponent.append('⁻');
      } else if (digit != '+') {
        exponent.append(SUPERSCRIPTS.charAt(digit - '0'));
      }
    }
    return plain.substring(0, e) + "\u202f\u00d7\u202f10" + exponent;
  }

  private static String based(Object value, int base, char verb) {
    return switch (value) {
      case Long number -> Long.toString(number, base);
      case UnsignedLong number -> Long.toUnsignedString(number.longValue(), base);
      default -> throw wrong(verb, value);
    };
  }

  private static String hex(Object value) {
    return switch (value) {
      case Long number -> Long.toString(number, 16);
      case UnsignedLong number -> Long.toUnsignedString(number.longValue(), 16);
      case String plain -> HexFormat.of().formatHex(plain.getBytes(StandardCharsets.UTF_8));
      case CelByteString bytes -> HexFormat.of().formatHex(bytes.toByteArray());
      default -> throw wrong('x', value);
    };
  }

  private static IllegalArgumentException wrong(char verb, Object value) {
    return FormatClauses.wrongType(verb, typeName(value));
  }

  private static String typeName(Object value) {
    TypeType type = Values.typeOf(value);
    return type == null ? value.getClass().getSimpleName() : type.containingTypeName();
  }
}
