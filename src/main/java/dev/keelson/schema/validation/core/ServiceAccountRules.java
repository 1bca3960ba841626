package dev.keelson.schema.validation.core;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import java.util.function.Consumer;

/** Service accounts. */
final class ServiceAccountRules implements KindRules {

  private static final String ENFORCES = "kubernetes.io/enforce-mountable-secrets";

  @Override
  public void warnOnCreate(Value object, Consumer<String> warnings) {
    warnAbout(annotation(object), warnings);
  }

  @Override
  public void warnOnUpdate(Value object, Value old, Consumer<String> warnings) {
    if (annotation(old).absent()) {
      warnAbout(annotation(object), warnings);
    }
  }

  private static Value annotation(Value object) {
    return object.get("metadata", "annotations").key(ENFORCES);
  }

  private static void warnAbout(Value annotation, Consumer<String> warnings) {
    if (annotation.present()) {
      warnings.accept(
          annotation.path()
              + ": deprecated in v1.32+; prefer separate namespaces to isolate access to mounted"
              + " secrets");
    }
  }
}
