package dev.keelson.schema.codec.tree;

import dev.keelson.schema.codec.tree.DecodeException.Fault;
import java.nio.charset.StandardCharsets;

/**
 * The syntax of resource quantities, such as {@code 500m} or {@code 2Gi}, which are checked as
 * {@code resource.ParseQuantity} does.
 */
public final class QuantityText {

  private static final String SUFFIX_LETTERS = "eEinumkKMGTP";

  /**
   * The most digits, and the largest exponent. Whoever adds or rounds such a number writes all its
   * digits out, so that {@code 1e999999999} would cost a gigabyte.
   */
  private static final int LARGEST = 1000;

  private QuantityText() {}

  /**
   * The canonical form of {@code text}, as {@link QuantityForm} makes it.
   *
   * @throws DecodeException if it is no quantity
   */
  public static String check(String text) {
    String quantity = text.strip();
    int suffix = suffixAt(quantity);
    return QuantityForm.of(quantity, suffix);
  }

  /**
   * Whether a quantity is in the form that {@link #check} gives.
   *
   * @param from where its text begins in {@code ascii}
   * @param to behind its text
   */
  public static boolean isCanonical(byte[] ascii, int from, int to) {
    String text = new String(ascii, from, to - from, StandardCharsets.ISO_8859_1);
    try {
      return check(text).equals(text);
    } catch (DecodeException noQuantity) {
      return false;
    }
  }

  /** Where the suffix of a quantity begins. */
  private static int suffixAt(String quantity) {
    int at = quantity.startsWith("+") || quantity.startsWith("-") ? 1 : 0;
    int numberAt = at;
    at = digits(quantity, at);
    int digits = at - numberAt;
    if (at < quantity.length() && quantity.charAt(at) == '.') {
      int pointAt = at;
      at = digits(quantity, at + 1);
      digits += at - pointAt - 1;
    }
    int suffixAt = at;
    while (at < quantity.length() && SUFFIX_LETTERS.indexOf(quantity.charAt(at)) >= 0) {
      at++;
    }
    if (at < quantity.length() && (quantity.charAt(at) == '-' || quantity.charAt(at) == '+')) {
      at++;
    }
    at = digits(quantity, at);
    if (quantity.isEmpty() || at < quantity.length()) {
      throw new DecodeException(
          Fault.SHAPE,
          "quantities must match the regular expression"
              + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }
    if (!suffix(quantity.substring(suffixAt))) {
      throw new DecodeException(Fault.SHAPE, "unable to parse quantity's suffix");
    }
    if (digits == 0) {
      throw new DecodeException(Fault.SHAPE, "unable to parse numeric part of quantity");
    }
    if (digits > LARGEST || exponentBeyond(quantity, suffixAt)) {
      throw new DecodeException(
          Fault.SHAPE, "quantities must have at most 1000 digits and exponents of at most 1000");
    }
    return suffixAt;
  }

  private static boolean suffix(String suffix) {
    return switch (suffix) {
      case "", "n", "u", "m", "k", "M", "G", "T", "P", "E" -> true;
      case "Ki", "Mi", "Gi", "Ti", "Pi", "Ei" -> true;
      default -> exponent(suffix);
    };
  }

  /** {@code e3}, {@code E-3}: a decimal exponent that fits an integer. */
  private static boolean exponent(String suffix) {
    if (suffix.length() < 2 || (suffix.charAt(0) != 'e' && suffix.charAt(0) != 'E')) {
      return false;
    }
    int at = suffix.charAt(1) == '-' || suffix.charAt(1) == '+' ? 2 : 1;
    int end = digits(suffix, at);
    return end == suffix.length() && end > at && end - at <= 9;
  }

  private static boolean exponentBeyond(String quantity, int suffixAt) {
    int digitsAt = quantity.length();
    while (digitsAt > suffixAt && Character.isDigit(quantity.charAt(digitsAt - 1))) {
      digitsAt--;
    }
    return digitsAt > suffixAt
        && digitsAt < quantity.length()
        && Integer.parseInt(quantity.substring(digitsAt)) > LARGEST;
  }

  private static int digits(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }
}
