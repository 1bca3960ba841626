package dev.keelson.schema.validation.resource;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.volume.VolumeRules;

/**
 * Templates of resource claims, which no update changes.
 *
 * @param devices the rules of what a claim asks for
 */
record ResourceClaimTemplateRules(DeviceClaimRules devices) implements KindRules {

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.NEVER;
  }

  @Override
  public void validateCreate(Value object) {
    VolumeRules.validateTemplateObjectMeta(object.get("spec", "metadata"));
    devices.validate(object.get("spec", "spec"));
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("spec").immutable(old.get("spec"));
  }
}
