package dev.keelson.schema.validation.core;

import dev.keelson.api.Names;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.ValueSet;
import dev.keelson.schema.validation.core.pod.ResourceRules;

/** Nodes. */
final class NodeRules implements KindRules {
  @Override
  public boolean validatesUpdateFirst() {
    return true;
  }

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    // Kubernetes says metadata where spec is meant
    Value taints = object.get("metadata", "taints").holding(spec.get("taints").node());
    ValueSet seen = new ValueSet();
    for (Value taint : taints) {
      taint(taint, seen);
    }
    if (spec.get("configSource").present()) {
      spec.get("configSource").forbidden("configSource may not be set");
    }
  }

  @Override
  public void validateCreate(Value object) {
    resources(object.get("status"));
    Value cidrs = object.get("spec", "podCIDRs");
    boolean isOld = false;
    boolean isNew = false;
    for (Value cidr : cidrs) {
      cidr.cidr();
      isNew |= cidr.text().contains(":");
      isOld |= !cidr.text().contains(":");
    }
    if (cidrs.size() > 2 || (cidrs.size() == 2 && !(isOld && isNew))) {
      cidrs.invalid("may specify no more than one CIDR for each IP family");
    }
    cidrs.unique();
  }

  private static void resources(Value status) {
    for (String field : new String[] {"capacity", "allocatable"}) {
      for (Value amount : status.get(field)) {
        ResourceRules.validateResourceQuantityValue(status.get(field).get(amount.name()));
      }
    }
  }

  private static void taint(Value taint, ValueSet seen) {
    Labels.validateLabelName(taint.get("key"));
    String problem = Names.labelValue(taint.get("value").text());
    if (!problem.isEmpty()) {
      taint.get("value").invalid(problem.replace('\n', ';'));
    }
    Value effect = taint.get("effect").needed();
    if (effect.filled()) {
      effect.oneOf("NoExecute", "NoSchedule", "PreferNoSchedule");
    }
    if (!seen.addTuple(taint.get("key").node(), effect.node())) {
      taint.duplicateBecause("taints must be unique by key and effect pair");
    }
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    Value spec = object.get("spec");
    Value was = old.get("spec");
    status(object.get("status"));
    if (was.get("podCIDRs").size() > 0 && !spec.get("podCIDRs").sameAs(was.get("podCIDRs"))) {
      spec.get("podCIDRs")
          .forbidden("node updates may not change podCIDR except from \"\" to valid");
    }
    if (was.get("providerID").filled() && !spec.get("providerID").sameAs(was.get("providerID"))) {
      spec.get("providerID")
          .forbidden("node updates may not change providerID except from \"\" to valid");
    }
    if (!spec.get("externalID").text().equals(was.get("externalID").text())) {
      spec.get("externalID").forbidden("may not be updated");
    }
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    status(object.get("status"));
  }

  private static void status(Value status) {
    resources(status);
    Value addresses = status.get("addresses");
    addresses.unique();
  }
}
