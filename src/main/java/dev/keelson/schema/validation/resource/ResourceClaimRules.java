package dev.keelson.schema.validation.resource;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;

/**
 * Resource claims, whose spec no update changes.
 *
 * @param devices the rules of what a claim asks for
 */
record ResourceClaimRules(DeviceClaimRules devices) implements KindRules {

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.NEVER;
  }

  @Override
  public void validateCreate(Value object) {
    devices.validate(object.get("spec"));
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("spec").immutable(old.get("spec"));
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    AllocationRules.status(object, old.get("status"));
  }
}
