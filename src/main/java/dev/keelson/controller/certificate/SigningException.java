package dev.keelson.controller.certificate;

/** A request is not one for its signer, or cannot be signed; the message says why. */
final class SigningException extends Exception {

  private static final long serialVersionUID = 1L;

  SigningException(String message) {
    super(message);
  }

  SigningException(String message, Throwable cause) {
    super(message, cause);
  }
}
