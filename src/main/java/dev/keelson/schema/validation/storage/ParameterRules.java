package dev.keelson.schema.validation.storage;

import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Value;
import java.util.Locale;

/** Parameters of classes, and fields that no update changes. */
final class ParameterRules {
  private static final int MOST_PARAMETERS = 512;
  private static final int PARAMETER_BYTES = 256 * 1024;

  private ParameterRules() {}

  /** A provisioner; Kubernetes shows it in lower case. */
  static void validateProvisioner(Value provisioner) {
    if (!provisioner.filled()) {
      provisioner.required();
      return;
    }
    String name = provisioner.text().toLowerCase(Locale.ROOT);
    String problem = Formats.QUALIFIED_NAME.apply(name);
    if (!problem.isEmpty()) {
      provisioner.invalid(name, problem);
    }
  }

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
