package dev.keelson.schema.codec.yaml;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Decimal;
import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.Null;
import dev.keelson.object.Node.Text;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.DoubleText;
import dev.keelson.schema.codec.tree.Utf8;
import dev.keelson.value.GoFloat;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * What a scalar without quotes stands for, by the rules of go-yaml v2: YAML 1.1 with Go's integer
 * literals and without numbers to the base 60. Written without regular expressions, since they
 * would be the larger part of reading a small document.
 */
final class YamlScalars {

  private static final String TAG = "tag:yaml.org,2002:";

  /** Longer sequences of digits are read as strings. */
  private static final int MAX_NUMBER_LENGTH = 1000;

  private static final BigInteger UINT64_LIMIT = BigInteger.ONE.shiftLeft(64);

  private YamlScalars() {}

  /** The value of a plain scalar. */
  static Node plain(String text) {
    if (text.isEmpty()) {
      return Null.NULL;
    }
    return switch (text.charAt(0)) {
      case 'y', 'Y', 'n', 'N', 't', 'T', 'f', 'F', 'o', 'O', '~' -> word(text);
      case '.' -> orText(special(text) ? notFinite(text) : floating(text), text);
      case '+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' ->
          special(text) ? notFinite(text) : orText(number(text), text);
      default -> new Text(text);
    };
  }

  /** Whether a reader of YAML 1.1 takes the plain scalar {@code text} for something else. */
  static boolean ambiguous(String text) {
    if (text.isEmpty()) {
      return true;
    }
    return switch (text.charAt(0)) {
      case 'y', 'Y', 'n', 'N', 't', 'T', 'f', 'F', 'o', 'O', '~' -> !(word(text) instanceof Text);
      case '.' -> special(text) || floating(text) != null;
      case '+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' ->
          special(text)
              || number(text) != null
              || YamlTimes.timestamp(text)
              || YamlTimes.base60(text);
      // a key of this name would be a merge
      case '<' -> text.equals("<<");
      default -> false;
    };
  }

  /**
   * The value of a scalar with a tag or with quotes.
   *
   * @param tag the tag in full, or empty
   * @throws DecodeException if the text is none of what the tag asks for
   */
  static Node tagged(String tag, String text) {
    if (!tag.startsWith(TAG)) {
      return new Text(text);
    }
    Node plain = plain(text);
    String name = tag.substring(TAG.length());
    boolean fits =
        switch (name) {
          case "bool" -> plain instanceof Bool;
          case "null" -> plain == Null.NULL;
          case "int" -> plain instanceof Int || (plain instanceof Decimal && integer(text) != null);
          case "float" -> plain instanceof Int || plain instanceof Decimal;
          case "timestamp" -> YamlTimes.timestamp(text);
          default -> false;
        };
    return switch (name) {
      case "bool", "null", "int", "float", "timestamp" -> {
        if (!fits) {
          throw YamlErrors.syntax("cannot decode !!str `" + text + "` as a !!" + name);
        }
        yield plain;
      }
      case "binary" -> binary(text);
      default -> new Text(text);
    };
  }

  private static Text binary(String text) {
    try {
      byte[] bytes = Base64.getDecoder().decode(text.replace("\r", "").replace("\n", ""));
      return new Text(new String(Utf8.valid(bytes), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw YamlErrors.syntax("!!binary value contains invalid base64 data");
    }
  }

  /** A number as the key of a mapping: floating point with the digits of single precision. */
  static String key(Decimal number) {
    float single = Float.parseFloat(number.literal());
    return Float.isInfinite(single) ? (single > 0 ? ".inf" : "-.inf") : GoFloat.print(single);
  }

  /** A JSON number as go-yaml prints it: integers as they are, others as Go's {@code %g}. */
  static String print(String literal) {
    Node integer = integer(literal);
    if (integer != null) {
      return integer instanceof Int number
          ? Long.toString(number.value())
          : ((Decimal) integer).literal();
    }
    double value = Double.parseDouble(literal);
    return Double.isInfinite(value) ? literal : GoFloat.print(value);
  }

  private static Node word(String text) {
    return switch (text) {
      case "y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON" -> Bool.TRUE;
      case "n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF" -> Bool.FALSE;
      case "~", "null", "Null", "NULL" -> Null.NULL;
      default -> new Text(text);
    };
  }

  private static boolean special(String text) {
    return switch (text) {
      case ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF" -> true;
      case "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF" -> true;
      default -> false;
    };
  }

  private static Node notFinite(String text) {
    throw new DecodeException(
        Fault.SYNTAX, "error converting YAML to JSON: json: unsupported value: " + text);
  }

  private static Node orText(@Nullable Node number, String text) {
    return number == null ? new Text(text) : number;
  }

  private static @Nullable Node number(String text) {
    if (text.length() > MAX_NUMBER_LENGTH || YamlTimes.timestamp(text)) {
      return null;
    }
    String digits = text.indexOf('_') < 0 ? text : text.replace("_", "");
    Node integer = integer(digits);
    return integer != null ? integer : floating(digits);
  }

  /** Go's {@code ParseInt} and {@code ParseUint} with base 0; null if it is no integer. */
  private static @Nullable Node integer(String text) {
    int at = !text.isEmpty() && (text.charAt(0) == '-' || text.charAt(0) == '+') ? 1 : 0;
    if (at == text.length()) {
      return null;
    }
    int radix = 10;
    if (text.charAt(at) == '0') {
      radix =
          text.length() < at + 3
              ? 8
              : switch (text.charAt(at + 1)) {
                case 'x', 'X' -> 16;
                case 'o', 'O' -> 8;
                case 'b', 'B' -> 2;
                default -> 0;
              };
      at += radix == 0 || text.length() < at + 3 ? 1 : 2;
      radix = radix == 0 ? 8 : radix;
    }
    for (int i = at; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 128 || Character.digit(c, radix) < 0) {
        return null;
      }
    }
    return at == text.length() ? new Int(0) : integer(text, at, radix);
  }

  private static @Nullable Node integer(String text, int at, int radix) {
    BigInteger size = new BigInteger(text.substring(at), radix);
    BigInteger value = text.charAt(0) == '-' ? size.negate() : size;
    if (value.bitLength() < Long.SIZE) {
      return new Int(value.longValue());
    }
    boolean signed = text.charAt(0) == '-' || text.charAt(0) == '+';
    boolean prefixed = radix != 10 && !Character.isDigit(text.charAt(1));
    return !signed && (prefixed || value.compareTo(UINT64_LIMIT) < 0)
        ? new Decimal(value.toString())
        : null;
  }

  /** A number with a point or an exponent; null if it is none or is beyond what doubles hold. */
  private static @Nullable Node floating(String text) {
    if (text.length() > MAX_NUMBER_LENGTH || !decimal(text)) {
      return null;
    }
    double value = Double.parseDouble(text);
    if (Double.isInfinite(value)) {
      return null;
    }
    Node node = DoubleText.node(value);
    return node instanceof Decimal decimal
            && integer(decimal.literal()) instanceof Int whole
            && value != 0
        ? whole
        : node;
  }

  /** A sign, digits with at most one point, an exponent; a point needs digits on one side. */
  private static boolean decimal(String text) {
    int at = text.charAt(0) == '-' || text.charAt(0) == '+' ? 1 : 0;
    int whole = digits(text, at);
    at += whole;
    if (at < text.length() && text.charAt(at) == '.') {
      int fraction = digits(text, at + 1);
      if (whole == 0 && fraction == 0) {
        return false;
      }
      at += 1 + fraction;
    } else if (whole == 0) {
      return false;
    }
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      at++;
      if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
        at++;
      }
      int exponent = digits(text, at);
      if (exponent == 0) {
        return false;
      }
      at += exponent;
    }
    return at == text.length();
  }

  private static int digits(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at - from;
  }
}
