package dev.keelson.schema.validation.apps;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;

/** Controller revisions. */
final class ControllerRevisionRules implements KindRules {
  @Override
  public void validate(Value object) {
    object.get("data").existing("data is mandatory");
    object.get("revision").nonNegative();
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("data").immutable(old.get("data"));
  }
}
