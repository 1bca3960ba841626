package dev.keelson.schema.validation.storage;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.volume.VolumeSourceRules;

/** Volume attributes classes. */
final class VolumeAttributesClassRules implements KindRules {
  @Override
  public void validate(Value object) {
    VolumeSourceRules.validateCsiDriverName(object.get("driverName"));
    Value parameters = object.get("parameters");
    if (parameters.size() == 0) {
      parameters.required("must contain at least one key/value pair");
    }
    ParameterRules.validateParameters(parameters);
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    ParameterRules.validateUnchanged(object, old, "driverName", "parameters");
  }
}
