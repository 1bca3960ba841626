package dev.keelson.schema.validation.storage;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;

/** CSI storage capacities. */
final class CsiStorageCapacityRules implements KindRules {
  @Override
  public void validate(Value object) {
    object.get("storageClassName").dnsSubdomain();
    Labels.validateLabelSelector(object.get("nodeTopology"));
    QuantityRules.nonNegative(object.get("capacity"));
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("nodeTopology").immutable(old.get("nodeTopology"));
    object.get("storageClassName").immutable(old.get("storageClassName"));
  }
}
