package dev.keelson.config.flag;

import dev.keelson.config.option.PortRange;
import dev.keelson.value.Cidr;
import dev.keelson.value.GoDuration;
import dev.keelson.value.IpAddress;
import dev.keelson.value.ValueFormatException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Parsers of flag values. Every method throws IllegalArgumentException with what was expected and
 * what was found; the caller adds the name of the flag.
 */
public final class Values {

  private Values() {}

  public static String text(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("a value is expected, found none");
    }
    return text;
  }

  /** As Go's {@code strconv.ParseBool}. */
  public static boolean bool(String text) {
    return switch (text) {
      case "true", "True", "TRUE", "1", "t", "T" -> true;
      case "false", "False", "FALSE", "0", "f", "F" -> false;
      default ->
          throw new IllegalArgumentException(
              "strconv.ParseBool: parsing \"" + text + "\": invalid syntax");
    };
  }

  /** A whole number from {@code least} to {@code most}, both included. */
  public static Function<String, Integer> integer(int least, int most) {
    return text -> {
      BigInteger value = number(text);
      if (value.compareTo(BigInteger.valueOf(least)) < 0
          || value.compareTo(BigInteger.valueOf(most)) > 0) {
        throw expected(
            most == Integer.MAX_VALUE
                ? "a whole number of at least " + least
                : "a whole number from " + least + " to " + most,
            text);
      }
      return value.intValueExact();
    };
  }

  /** As Go's {@code strconv.ParseInt} in base 0: with a prefix for another base than ten. */
  private static BigInteger number(String text) {
    boolean signed = text.startsWith("-") || text.startsWith("+");
    String digits = signed ? text.substring(1) : text;
    int base = digits.length() < 2 || digits.charAt(0) != '0' ? 10 : base(digits.charAt(1));
    String bare = base == 10 ? digits : digits.substring(digits.charAt(1) <= '9' ? 1 : 2);
    if (bare.isEmpty() || bare.chars().anyMatch(c -> Character.digit(c, base) < 0 || c > 'z')) {
      throw new IllegalArgumentException(
          "strconv.ParseInt: parsing \"" + text + "\": invalid syntax");
    }
    if (bare.length() > 64) {
      throw new IllegalArgumentException(
          "strconv.ParseInt: parsing \"" + text + "\": value out of range");
    }
    BigInteger value = new BigInteger(bare, base);
    return text.startsWith("-") ? value.negate() : value;
  }

  private static int base(char mark) {
    return switch (mark) {
      case 'x', 'X' -> 16;
      case 'b', 'B' -> 2;
      case 'o', 'O', '0', '1', '2', '3', '4', '5', '6', '7' -> 8;
      default -> 10;
    };
  }

  /** As Go's {@code strconv.ParseFloat}, finite. */
  public static double decimal(String text) {
    try {
      double value = Double.parseDouble(text);
      if (Double.isFinite(value) && text.equals(text.strip())) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "strconv.ParseFloat: parsing \"" + text + "\": invalid syntax", e);
    }
    throw new IllegalArgumentException(
        "strconv.ParseFloat: parsing \"" + text + "\": invalid syntax");
  }

  /** A Go duration: {@code 300ms}, {@code 1m30s}, {@code 1.5h}; never negative. */
  public static Duration duration(String text) {
    Duration duration = signedDuration(text);
    if (duration.isNegative()) {
      throw expected("a duration of at least 0", text);
    }
    return duration;
  }

  /**
   * The same, for a flag with an error of its own.
   *
   * @param negative the error for a negative duration
   */
  public static Function<String, Duration> durationOr(String negative) {
    return text -> {
      Duration duration = signedDuration(text);
      if (duration.isNegative()) {
        throw new IllegalArgumentException(negative);
      }
      return duration;
    };
  }

  private static Duration signedDuration(String text) {
    try {
      return GoDuration.parse(text).toDuration();
    } catch (ValueFormatException e) {
      throw new IllegalArgumentException("time: invalid duration \"" + text + "\"");
    }
  }

  public static Path path(String text) {
    try {
      return Path.of(text(text));
    } catch (InvalidPathException e) {
      throw expected("a path", text);
    }
  }

  /** An IP address; host names are not resolved. */
  public static InetAddress address(String text) {
    return IpAddress.tryParse(text)
        .orElseThrow(() -> expected("an IP address such as 127.0.0.1 or ::1", text))
        .address();
  }

  /** One address range, or one of each IP family with a comma between them. */
  public static List<Cidr> ranges(String text) {
    List<Cidr> ranges = split(List.of(text)).stream().map(Values::range).toList();
    boolean pair = ranges.size() == 2 && ranges.get(0).family() != ranges.get(1).family();
    if (ranges.size() != 1 && !pair) {
      throw expected("one address range, or one of each IP family,", text);
    }
    return ranges;
  }

  /** A range of ports such as {@code 30000-32767}. */
  public static PortRange ports(String text) {
    int dash = text.indexOf('-');
    try {
      return new PortRange(
          Integer.parseInt(text.substring(0, Math.max(0, dash)).strip()),
          Integer.parseInt(text.substring(dash + 1).strip()));
    } catch (IllegalArgumentException e) {
      throw expected("a range of ports such as 30000-32767", text);
    }
  }

  /** An address range such as {@code 10.0.0.0/24}. */
  public static Cidr range(String text) {
    return Cidr.tryParse(text)
        .orElseThrow(() -> expected("an address range such as 10.0.0.0/24", text))
        .masked();
  }

  /** The address of a server: {@code http} or {@code https}, a host and a port. */
  public static URI server(String text) {
    URI uri;
    try {
      uri = URI.create(text);
    } catch (IllegalArgumentException e) {
      throw expected("an address such as http://127.0.0.1:2379", text);
    }
    boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
    if (!web || uri.getHost() == null || uri.getPort() < 0) {
      throw expected("an address such as http://127.0.0.1:2379", text);
    }
    return uri;
  }

  /** One of the names of {@code values}, in any case. */
  public static <E extends Enum<E>> Function<String, E> oneOf(List<E> values) {
    return text -> {
      for (E value : values) {
        if (value.name().equalsIgnoreCase(text)) {
          return value;
        }
      }
      throw expected("one of " + values, text);
    };
  }

  /** Splits all {@code texts} at commas; empty parts are dropped. */
  public static List<String> split(List<String> texts) {
    List<String> parts = new ArrayList<>();
    for (String text : texts) {
      for (String part : text.split(",", -1)) {
        if (!part.isBlank()) {
          parts.add(part.strip());
        }
      }
    }
    return List.copyOf(parts);
  }

  public static IllegalArgumentException expected(String what, String found) {
    return new IllegalArgumentException(what + " is expected, found \"" + found + "\"");
  }
}
