package dev.keelson.schema.validation.core;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.pod.PodRules;
import dev.keelson.schema.validation.core.pod.PodWarnings;
import java.util.function.Consumer;

/** Pod templates that are objects of their own. */
final class PodTemplateRules implements KindRules {
  @Override
  public void validate(Value object) {
    PodRules.validatePodTemplateSpec(object.get("template"));
  }

  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    PodWarnings.warnAboutTemplate(object.get("template"), warnings);
  }
}
