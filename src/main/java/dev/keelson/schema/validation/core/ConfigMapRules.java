package dev.keelson.schema.validation.core;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;

/** Config maps. */
final class ConfigMapRules implements KindRules {
  @Override
  public void validate(Value object) {
    Value data = object.get("data");
    Value binary = object.get("binaryData");
    if (binary.size() == 0) {
      ConfigDataRules.validateKeys(data);
    }
    for (Value entry : binary.size() == 0 ? binary : data) {
      entry.holding(Node.text(entry.name())).as(Formats.CONFIG_KEY);
      if (binary.map().has(entry.name())) {
        entry.invalid(entry.name(), "duplicate of key present in binaryData");
      }
    }
    ConfigDataRules.validateKeys(binary);
    if (ConfigDataRules.textBytes(data) + ConfigDataRules.binaryBytes(binary)
        > ConfigDataRules.MAX_BYTES) {
      object.get("[]").tooLong(ConfigDataRules.MAX_BYTES);
    }
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    ConfigDataRules.validateImmutableData(object, old, "data", "binaryData");
  }

  @Override
  public boolean validatesUpdateFirst() {
    return true;
  }
}
