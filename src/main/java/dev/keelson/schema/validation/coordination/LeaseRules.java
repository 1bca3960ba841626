package dev.keelson.schema.validation.coordination;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;

/** Leases. */
final class LeaseRules implements KindRules {
  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    spec.get("leaseDurationSeconds").positive();
    spec.get("leaseTransitions").nonNegative();
    if (spec.get("preferredHolder").filled() && !spec.get("strategy").filled()) {
      spec.get("preferredHolder").forbidden("may only be specified if `strategy` is defined");
    }
  }
}
