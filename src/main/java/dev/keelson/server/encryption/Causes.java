package dev.keelson.server.encryption;

import dev.keelson.value.GoQuote;

/** The texts of causes, as Kubernetes prints them (apimachinery pkg/util/validation/field). */
final class Causes {

  private Causes() {}

  /** A cause; {@code shown} is the value as it is printed. */
  static String invalidValue(String at, String shown, String detail) {
    return at + ": Invalid value: " + shown + ": " + detail;
  }

  /** A cause about a string. */
  static String invalidText(String at, String value, String detail) {
    return invalidValue(at, GoQuote.quote(value), detail);
  }
}
