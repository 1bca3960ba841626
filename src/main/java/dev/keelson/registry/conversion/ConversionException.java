package dev.keelson.registry.conversion;

/** A webhook did not convert; the message is kube-apiserver's. */
final class ConversionException extends Exception {

  private static final long serialVersionUID = 1L;

  ConversionException(String message) {
    super(message);
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
