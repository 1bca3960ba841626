package dev.keelson.schema.validation.networking;

import dev.keelson.schema.validation.Conditions;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;

/** Service CIDRs. */
final class ServiceCidrRules implements KindRules {
  @Override
  public void validateStatusUpdate(Value object, Value old) {
    Conditions.validateConditions(object.get("status", "conditions"));
  }

  @Override
  public void validate(Value object) {
    Value cidrs = object.get("spec", "cidrs");
    if (cidrs.size() == 0) {
      cidrs.required("at least one CIDR required");
    } else if (cidrs.size() > 2) {
      cidrs.invalid("may only hold up to 2 values");
    }
    for (Value cidr : cidrs) {
      cidr.as(Formats.CIDR);
    }
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    Value cidrs = object.get("spec", "cidrs");
    Value was = old.get("spec", "cidrs");
    // a second family may be added or removed
    if (!cidrs.at(0).sameAs(was.at(0)) || cidrs.size() == was.size()) {
      cidrs.immutable(was);
    }
  }
}
