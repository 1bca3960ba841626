package dev.keelson.schema.validation.networking;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.value.IpAddress;

/** IP addresses. */
final class IpAddressRules implements KindRules {
  @Override
  public void validateCreate(Value object) {
    Value name = object.get("metadata", "name");
    if (name.filled() && IpAddress.tryParse(name.text()).isEmpty()) {
      name.invalid("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
    }
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("spec", "parentRef").immutable(old.get("spec", "parentRef"));
  }
}
