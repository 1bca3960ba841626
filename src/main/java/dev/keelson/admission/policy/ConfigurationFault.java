package dev.keelson.admission.policy;

/** A policy or binding cannot be applied; its failure policy decides. */
final class ConfigurationFault extends Exception {

  private static final long serialVersionUID = 1L;

  ConfigurationFault(String message) {
    super(message, null, false, false);
  }

  String text() {
    return String.valueOf(getMessage());
  }
}
