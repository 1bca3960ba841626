package dev.keelson.schema.validation.networking;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;

/**
 * IPAddresses: named after the address in canonical form, for one object that does not change
 * (source: ValidateIPAddress, ValidateIPAddressUpdate).
 */
final class IpAddressRules implements KindRules {

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validateCreate(Value object) {
    object.get("metadata", "name").as(CanonicalForms::ip);
    Value parent = object.get("spec", "parentRef");
    if (parent.absent()) {
      parent.required();
      return;
    }
    if (parent.get("group").filled()) {
      parent.get("group").dnsSubdomain();
    }
    parent.declared("resource").get("resource").as(Formats.PATH_SEGMENT);
    parent.declared("name").get("name").as(Formats.PATH_SEGMENT);
    parent.get("namespace").as(Formats.PATH_SEGMENT);
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("spec", "parentRef").immutable(old.get("spec", "parentRef"));
  }
}
