package dev.keelson.server.identity.configuration;

import dev.keelson.api.FieldCause;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The faults of a configuration file, in kube-apiserver's words: all of them are told at once
 * (source: {@code field.ErrorList}).
 */
final class ConfigurationFaults {

  private final List<FieldCause> causes = new ArrayList<>();

  void required(String field, String detail) {
    causes.add(FieldCause.required(field, detail));
  }

  void invalid(String field, String value, String detail) {
    causes.add(FieldCause.invalid(field, value, detail));
  }

  /**
   * An invalid value that is not a string.
   *
   * @param shown the value as the message shows it
   */
  void invalidShown(String field, String shown, String detail) {
    causes.add(
        new FieldCause("FieldValueInvalid", "Invalid value: " + shown + ": " + detail, field));
  }

  void duplicate(String field, String value) {
    causes.add(FieldCause.duplicate(field, value));
  }

  void tooMany(String field, int items, int most) {
    causes.add(
        new FieldCause(
            "FieldValueTooMany",
            "Too many: " + items + ": must have at most " + most + " items",
            field));
  }

  /**
   * A value that is none of the known ones.
   *
   * @param shown the value as the message shows it
   */
  void unsupported(String field, String shown, List<String> known) {
    causes.add(
        new FieldCause(
            "FieldValueNotSupported",
            "Unsupported value: "
                + shown
                + ": supported values: "
                + known.stream().map(GoQuote::quote).collect(Collectors.joining(", ")),
            field));
  }

  /**
   * Ends the validation.
   *
   * @throws IllegalArgumentException with every fault, if there are any
   */
  void check() {
    LinkedHashSet<String> texts = new LinkedHashSet<>();
    causes.forEach(cause -> texts.add(cause.summary()));
    if (texts.size() == 1) {
      throw new IllegalArgumentException(texts.getFirst());
    }
    if (!texts.isEmpty()) {
      throw new IllegalArgumentException("[" + String.join(", ", texts) + "]");
    }
  }
}
