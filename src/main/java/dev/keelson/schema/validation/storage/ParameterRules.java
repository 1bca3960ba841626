package dev.keelson.schema.validation.storage;

import dev.keelson.schema.validation.Value;

/** Parameters of classes, and fields that no update changes. */
final class ParameterRules {
  private static final int MOST_PARAMETERS = 512;
  private static final int PARAMETER_BYTES = 256 * 1024;

  private ParameterRules() {}

  static void validateParameters(Value parameters) {
    if (parameters.size() > MOST_PARAMETERS) {
      parameters.tooLong(MOST_PARAMETERS);
      return;
    }
    long bytes = 0;
    for (Value entry : parameters) {
      if (entry.name().isEmpty()) {
        parameters.invalid("", "field can not be empty.");
      }
      bytes += entry.name().length() + entry.text().length();
    }
    if (bytes > PARAMETER_BYTES) {
      parameters.tooLong(PARAMETER_BYTES);
    }
  }

  static void validateUnchanged(Value object, Value old, String... fields) {
    for (String field : fields) {
      Value now = object.get(field);
      Value was = old.get(field);
      if (!now.sameAs(was) && (now.filled() || was.filled())) {
        now.forbidden("updates to " + field + " are forbidden.");
      }
    }
  }
}
