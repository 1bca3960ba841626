package dev.keelson.schema.validation.storage;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.ValueSet;
import dev.keelson.schema.validation.core.volume.VolumeSourceRules;

/** The CSI drivers of nodes. */
final class CsiNodeRules implements KindRules {
  private static final int LONGEST_NODE_ID = 256;

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.NEVER;
  }

  @Override
  public void validate(Value object) {
    ValueSet names = new ValueSet();
    for (Value driver : object.get("spec", "drivers")) {
      Value name = driver.get("name").orEmpty();
      VolumeSourceRules.validateCsiDriverName(name);
      Value id = driver.get("nodeID").needed();
      if (id.text().length() > LONGEST_NODE_ID) {
        id.invalid("must be " + LONGEST_NODE_ID + " characters or less");
      }
      driver.get("allocatable", "count").nonNegative();
      if (!names.add(name.node())) {
        name.duplicate();
      }
      keys(driver);
    }
  }

  /** Kubernetes names the driver, not its keys. */
  private static void keys(Value driver) {
    ValueSet keys = new ValueSet();
    for (Value key : driver.get("topologyKeys")) {
      if (!key.filled()) {
        driver.required();
      }
      if (!keys.add(key.node())) {
        driver.duplicate(key.text());
      }
      Labels.validateLabelName(driver.holding(key.orEmpty().node()));
    }
  }

  @Override
  public boolean validatesUpdateTwice() {
    return true;
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    Value drivers = object.get("spec", "drivers");
    for (Value was : old.get("spec", "drivers")) {
      for (Value now : drivers) {
        if (now.get("name").sameAs(was.get("name")) && !now.sameAs(was)) {
          MapNode rest = now.map().without("allocatable");
          if (!rest.equals(was.map().without("allocatable"))) {
            now.holding(rest).invalidAt(drivers, "field is immutable");
          }
        }
      }
    }
  }
}
