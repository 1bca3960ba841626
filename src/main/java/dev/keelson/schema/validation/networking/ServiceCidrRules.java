package dev.keelson.schema.validation.networking;

import dev.keelson.schema.validation.GivenText;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.value.Cidr;
import java.util.Optional;

/**
 * ServiceCIDRs: the ranges are immutable, but a second one of the other family may be added
 * (source: ValidateServiceCIDR, ValidateServiceCIDRUpdate). Conditions of the status may be without
 * a reason.
 */
final class ServiceCidrRules implements KindRules {

  @Override
  public void validateCreate(Value object) {
    ranges(object.get("spec", "cidrs"));
  }

  private static void ranges(Value cidrs) {
    if (cidrs.size() == 0) {
      cidrs.required("at least one CIDR required");
    } else if (cidrs.size() > 2) {
      cidrs.invalid("may only hold up to 2 values");
    } else if (cidrs.size() == 2 && !ofTwoFamilies(cidrs)) {
      cidrs.invalid(
          "may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and"
              + " 2001:db8::/64");
    } else {
      for (Value cidr : cidrs) {
        GivenText.validate(cidr.orEmpty(), CanonicalForms::cidr);
      }
    }
  }

  private static boolean ofTwoFamilies(Value cidrs) {
    Optional<Cidr> first = Cidr.tryParse(cidrs.at(0).text());
    Optional<Cidr> second = Cidr.tryParse(cidrs.at(1).text());
    return first.isPresent() && second.isPresent() && first.get().family() != second.get().family();
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    Value cidrs = object.get("spec", "cidrs");
    Value was = old.get("spec", "cidrs");
    if (cidrs.size() == was.size()) {
      for (int i = 0; i < cidrs.size(); i++) {
        cidrs.at(i).immutable(was.at(i));
      }
    } else if (was.size() == 1 && cidrs.size() == 2) {
      cidrs.at(0).immutable(was.at(0));
      ranges(cidrs);
    } else {
      cidrs.immutable(was);
    }
  }
}
