package dev.keelson.schema.validation.core;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import java.util.Set;

/** Namespaces and their finalizers. */
final class NamespaceRules implements KindRules {
  private static final Set<String> PLAIN = Set.of("kubernetes", "orphan", "foregroundDeletion");

  @Override
  public void validateCreate(Value object) {
    Value finalizers = object.get("spec", "finalizers");
    for (Value finalizer : finalizers) {
      // Kubernetes names the list here, and the entry where it is changed
      finalizer(finalizers.holding(finalizer.node()));
    }
  }

  private static void finalizer(Value finalizer) {
    Labels.validateLabelName(finalizer);
    if (finalizer.text().indexOf('/') < 0 && !PLAIN.contains(finalizer.text())) {
      finalizer
          .orEmpty()
          .invalid("name is neither a standard finalizer name nor is it fully qualified");
    }
  }

  @Override
  public void validateSubresourceUpdate(String subresource, Value object, Value old) {
    for (Value finalizer : object.get("spec", "finalizers")) {
      finalizer(finalizer);
    }
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    boolean deleting = object.get("metadata", "deletionTimestamp").present();
    String expected = deleting ? "Terminating" : "Active";
    Value phase = object.get("status", "phase");
    if (phase.filled() && !phase.is(expected)) {
      object
          .get("status", "Phase")
          .invalid(
              phase.text(),
              "may only be '"
                  + expected
                  + "' if `deletionTimestamp` is "
                  + (deleting ? "not empty" : "empty"));
    }
  }
}
