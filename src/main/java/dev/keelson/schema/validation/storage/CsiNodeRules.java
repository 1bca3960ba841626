package dev.keelson.schema.validation.storage;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.volume.VolumeSourceRules;

/** The CSI drivers of nodes. */
final class CsiNodeRules implements KindRules {
  @Override
  public void validate(Value object) {
    Value drivers = object.get("spec", "drivers");
    for (Value driver : drivers) {
      VolumeSourceRules.validateCsiDriverName(driver.get("name"));
      if (driver.get("nodeID").text().length() > 192) {
        driver.get("nodeID").invalid("must be 192 characters or less");
      }
      driver.get("allocatable", "count").nonNegative();
      Value keys = driver.get("topologyKeys");
      for (Value key : keys) {
        Labels.validateLabelName(key);
      }
      keys.unique();
    }
    drivers.uniqueBy("name");
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    Value drivers = object.get("spec", "drivers");
    for (Value was : old.get("spec", "drivers")) {
      for (Value now : drivers) {
        if (now.get("name").sameAs(was.get("name")) && !now.sameAs(was)) {
          MapNode rest = now.map().without("allocatable");
          if (!rest.equals(was.map().without("allocatable"))) {
            now.invalidAt(object.get("CSINodeDriver"), "field is immutable");
          }
        }
      }
    }
  }
}
