package dev.keelson.schema.validation.storage;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;

/** Volume attributes classes. */
final class VolumeAttributesClassRules implements KindRules {
  @Override
  public void validate(Value object) {
    ParameterRules.validateProvisioner(object.get("driverName"));
    Value parameters = object.get("parameters");
    ParameterRules.validateParameters(parameters);
    if (parameters.size() == 0) {
      parameters.required("must contain at least one key/value pair");
    }
  }

  @Override
  public boolean validatesUpdateFirst() {
    return true;
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    ParameterRules.validateUnchanged(object, old, "driverName", "parameters");
  }
}
