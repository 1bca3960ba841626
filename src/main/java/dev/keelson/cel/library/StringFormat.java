package dev.keelson.cel.library;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.keelson.cel.library.FunctionDeclarations.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * {@code format} of CEL's strings (source: cel-go's ext/strings of version 2): the clauses {@code
 * %s %d %f %e %b %o %x %X %%} with a precision for {@code f} and {@code e}.
 */
final class StringFormat {

  private static final int MOST_PRECISION = 1000;
  private static final String SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  private final String format;
  private final List<?> arguments;
  private final StringBuilder text = new StringBuilder();
  private int next;

  private StringFormat(String format, List<?> arguments) {
    this.format = format;
    this.arguments = arguments;
  }

  static void addTo(FunctionDeclarations list) {
    list.member(
        "format",
        "string_format",
        SimpleType.STRING,
        new Type<>(SimpleType.STRING, String.class),
        new Type<>(ListType.create(SimpleType.DYN), List.class),
        (format, arguments) -> new StringFormat(format, arguments).text());
  }

  private String text() {
    int i = 0;
    while (i < format.length()) {
      char c = format.charAt(i++);
      if (c != '%') {
        text.append(c);
        continue;
      }
      if (i == format.length()) {
        throw new IllegalArgumentException("unexpected end of string");
      }
      if (format.charAt(i) == '%') {
        text.append('%');
        i++;
        continue;
      }
      i = clause(i);
    }
    if (next < arguments.size()) {
      throw new IllegalArgumentException(
          "too many arguments supplied to string.format (expected "
              + next
              + ", got "
              + arguments.size()
              + ")");
    }
    return text.toString();
  }

  private int clause(int begin) {
    int i = begin;
    int precision = 6;
    if (format.charAt(i) == '.') {
      int end = ++i;
      while (end < format.length() && Character.isDigit(format.charAt(end))) {
        end++;
      }
      precision = precision(format.substring(i, end));
      i = end;
    }
    if (i == format.length()) {
      throw new IllegalArgumentException(
          "could not parse formatting clause: unexpected end of string");
    }
    char verb = format.charAt(i++);
    if ("sdfebxXo".indexOf(verb) < 0) {
      throw new IllegalArgumentException(
          "could not parse formatting clause: unrecognized formatting clause \"" + verb + "\"");
    }
    if (next == arguments.size()) {
      throw new IllegalArgumentException("index " + next + " out of range");
    }
    text.append(formatted(verb, arguments.get(next++), precision));
    return i;
  }

  private static int precision(String digits) {
    int precision = digits.isEmpty() || digits.length() > 4 ? -1 : Integer.parseInt(digits);
    if (precision < 0 || precision > MOST_PRECISION) {
      throw new IllegalArgumentException(
          "could not parse formatting clause: error while parsing precision: " + digits);
    }
    return precision;
  }

  private static String formatted(char verb, Object value, int precision) {
    return switch (verb) {
      case 's' -> string(value);
      case 'd' -> decimal(value);
      case 'f' -> fixed(value, precision);
      case 'e' -> scientific(value, precision);
      case 'b' -> value instanceof Boolean truth ? (truth ? "1" : "0") : based(value, 2, "binary");
      case 'o' -> based(value, 8, "octal");
      case 'x' -> hex(value);
      default -> hex(value).toUpperCase(Locale.ROOT);
    };
  }

  private static String string(Object value) {
    return value instanceof String plain ? plain : nested(value, /* quoted= */ false);
  }

  private static String nested(Object value, boolean quoted) {
    return switch (value) {
      case String plain -> quoted ? '"' + plain + '"' : plain;
      case Boolean truth -> truth.toString();
      case NullValue none -> "null";
      case Long number -> number.toString();
      case UnsignedLong number -> number.toString();
      case Double number -> fraction(number);
      case CelByteString bytes -> new String(bytes.toByteArray(), StandardCharsets.UTF_8);
      case Instant time -> quoted ? "timestamp(\"" + time + "\")" : time.toString();
      case Duration span -> quoted ? "duration(\"" + seconds(span) + "\")" : seconds(span);
      case TypeType type -> type.name();
      case List<?> list -> {
        List<String> items = new ArrayList<>();
        list.forEach(item -> items.add(nested(item, /* quoted= */ true)));
        yield "[" + String.join(", ", items) + "]";
      }
      case Map<?, ?> map -> {
        Map<String, String> entries = new TreeMap<>();
        map.forEach(
            (key, entry) -> entries.put(nested(key, true), nested(entry, /* quoted= */ true)));
        List<String> items = new ArrayList<>();
        entries.forEach((key, entry) -> items.add(key + ":" + entry));
        yield "{" + String.join(", ", items) + "}";
      }
      default ->
          throw wrong(
              "string",
              "strings, bools, bytes, ints, doubles, maps, lists, types,"
                  + " durations, and timestamps",
              value);
    };
  }

  private static String seconds(Duration span) {
    return new BigDecimal(span.getSeconds())
            .add(BigDecimal.valueOf(span.getNano(), 9))
            .stripTrailingZeros()
            .toPlainString()
        + "s";
  }

  private static String fraction(double number) {
    if (Double.isNaN(number)) {
      return "NaN";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "+Inf" : "-Inf";
    }
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  private static String decimal(Object value) {
    return switch (value) {
      case Long number -> number.toString();
      case UnsignedLong number -> number.toString();
      default -> throw wrong("decimal", "integers", value);
    };
  }

  private static BigDecimal number(String clause, Object value) {
    return switch (value) {
      case Double number when !number.isNaN() && !number.isInfinite() -> new BigDecimal(number);
      case Long number -> BigDecimal.valueOf(number);
      case UnsignedLong number -> new BigDecimal(number.bigIntegerValue());
      default -> throw wrong(clause, "doubles", value);
    };
  }

  private static String fixed(Object value, int precision) {
    if (value instanceof Double number && (number.isNaN() || number.isInfinite())) {
      return number.isNaN() ? "NaN" : number > 0 ? "∞" : "-∞";
    }
    BigDecimal rounded = number("fixed-point", value).setScale(precision, RoundingMode.HALF_EVEN);
    // the locale is American English, with groups of three digits
    String plain = rounded.abs().toPlainString();
    int point = plain.indexOf('.');
    StringBuilder grouped = new StringBuilder(plain);
    for (int i = (point < 0 ? plain.length() : point) - 3; i > 0; i -= 3) {
      grouped.insert(i, ',');
    }
    return rounded.signum() < 0 ? "-" + grouped : grouped.toString();
  }

  private static String scientific(Object value, int precision) {
    if (value instanceof Double number && (number.isNaN() || number.isInfinite())) {
      return number.isNaN() ? "NaN" : number > 0 ? "∞" : "-∞";
    }
    String plain = String.format(Locale.ROOT, "%." + precision + "e", number("scientific", value));
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

  private static String based(Object value, int base, String clause) {
    return switch (value) {
      case Long number -> Long.toString(number, base);
      case UnsignedLong number -> Long.toUnsignedString(number.longValue(), base);
      default -> throw wrong(clause, base == 2 ? "integers and bools" : "integers", value);
    };
  }

  private static String hex(Object value) {
    return switch (value) {
      case Long number -> Long.toString(number, 16);
      case UnsignedLong number -> Long.toUnsignedString(number.longValue(), 16);
      case String plain -> HexFormat.of().formatHex(plain.getBytes(StandardCharsets.UTF_8));
      case CelByteString bytes -> HexFormat.of().formatHex(bytes.toByteArray());
      default ->
          throw new IllegalArgumentException(
              "error during formatting: only integers, byte buffers, and strings can be formatted"
                  + " as hex, was given "
                  + name(value));
    };
  }

  private static IllegalArgumentException wrong(String clause, String taken, Object value) {
    return new IllegalArgumentException(
        "error during formatting: "
            + clause
            + " clause can only be used on "
            + taken
            + ", was given "
            + name(value));
  }

  private static String name(Object value) {
    return switch (value) {
      case String text -> "string";
      case Boolean truth -> "bool";
      case Long number -> "int";
      case UnsignedLong number -> "uint";
      case Double number -> "double";
      case CelByteString bytes -> "bytes";
      case List<?> list -> "list";
      case Map<?, ?> map -> "map";
      case NullValue none -> "null_type";
      default -> value.getClass().getSimpleName();
    };
  }
}
