package dev.keelson.schema.validation.networking;

import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;

/**
 * IPAddresses: named after the address in canonical form, for one object that does not change
 * (source: ValidateIPAddress, ValidateIPAddressUpdate).
 */
final class IpAddressRules implements KindRules {

  @Override
  public void validateCreate(Value object) {
    object.get("metadata", "name").as(CanonicalForms::ip);
    Value parent = object.get("spec", "parentRef");
    if (parent.get("group").filled()) {
      parent.get("group").dnsSubdomain();
    }
    parent.get("resource").as(Formats.PATH_SEGMENT);
    parent.get("name").as(Formats.PATH_SEGMENT);
    parent.get("namespace").as(Formats.PATH_SEGMENT);
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("spec", "parentRef").immutable(old.get("spec", "parentRef"));
  }
}
