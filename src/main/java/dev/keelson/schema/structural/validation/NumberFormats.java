package dev.keelson.schema.structural.validation;

import com.google.re2j.Pattern;

/** Numbers with a check digit. */
final class NumberFormats {

  private NumberFormats() {}

  /** Compiled on first use. */
  private static final class Cards {
    private static final Pattern NUMBER =
        Pattern.compile(
            "^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|6(?:011|5[0-9][0-9])[0-9]{12}"
                + "|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35\\d{3})\\d{11})$");
  }

  /** The number of a credit card between any other characters. */
  static boolean isCreditCard(String text) {
    StringBuilder digits = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      if (isDigit(text.charAt(i))) {
        digits.append(text.charAt(i));
      }
    }
    return Cards.NUMBER.matcher(digits).find() && luhn(digits) % 10 == 0;
  }

  private static int luhn(CharSequence digits) {
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      int digit = digits.charAt(digits.length() - 1 - i) - '0';
      int weighted = i % 2 == 0 ? digit : digit * 2;
      sum += weighted >= 10 ? weighted % 10 + 1 : weighted;
    }
    return sum;
  }

  static boolean isIsbn10(String text) {
    String isbn = withoutSeparators(text);
    if (isbn.length() != 10) {
      return false;
    }
    int sum = 0;
    for (int i = 0; i < 10; i++) {
      char c = isbn.charAt(i);
      if (!isDigit(c) && !(i == 9 && c == 'X')) {
        return false;
      }
      sum += Math.min(i + 1, 10) * (c == 'X' ? 10 : c - '0');
    }
    return sum % 11 == 0;
  }

  static boolean isIsbn13(String text) {
    String isbn = withoutSeparators(text);
    if (isbn.length() != 13 || !isbn.chars().allMatch(c -> isDigit((char) c))) {
      return false;
    }
    int sum = 0;
    for (int i = 0; i < 13; i++) {
      sum += (i % 2 == 0 ? 1 : 3) * (isbn.charAt(i) - '0');
    }
    return sum % 10 == 0;
  }

  private static String withoutSeparators(String text) {
    StringBuilder kept = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '-' && " \t\n\r\f".indexOf(c) < 0) {
        kept.append(c);
      }
    }
    return kept.toString();
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
