package dev.keelson.schema.validation.storage;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.NodeLabelWarnings;
import dev.keelson.schema.validation.Value;
import java.util.function.Consumer;

/** Storage classes. */
final class StorageClassRules implements KindRules {
  @Override
  public void validate(Value object) {
    ParameterRules.validateProvisioner(object.get("provisioner"));
    ParameterRules.validateParameters(object.get("parameters"));
    for (Value term : object.get("allowedTopologies")) {
      for (Value each : term.get("matchLabelExpressions")) {
        Labels.validateLabelName(each.get("key"));
        each.get("values").unique();
      }
      term.get("matchLabelExpressions").uniqueBy("key");
    }
  }

  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    for (Value term : object.get("allowedTopologies")) {
      for (Value expression : term.get("matchLabelExpressions")) {
        Value key = expression.get("key");
        String message = NodeLabelWarnings.message(key.text());
        if (message != null) {
          warnings.accept(key.path() + ": " + message);
        }
      }
    }
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    ParameterRules.validateUnchanged(object, old, "parameters", "provisioner", "reclaimPolicy");
    Value mode = object.get("volumeBindingMode");
    if (mode.present() || old.get("volumeBindingMode").present()) {
      mode.immutable(old.get("volumeBindingMode"));
    }
  }
}
