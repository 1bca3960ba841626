package dev.keelson.schema.validation.apps;

import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.ReplicaRules;

/** The selectors of workloads over the pods of their templates. */
final class SelectorRules {
  private SelectorRules() {}

  /**
   * Validates the selector over pods, which must not be empty and must match the labels of the pod
   * template.
   *
   * @param malformed what Kubernetes says, beside the reasons, of a selector that is none
   * @return whether the selector is well formed; if not, the pod template is not validated
   */
  static boolean validateSelector(Value spec, String kind, String malformed) {
    Value selector = spec.declared("selector").get("selector");
    Value template = spec.get("template");
    int before = selector.causeCount();
    Labels.validateLabelSelector(selector);
    boolean wellFormed = selector.causeCount() == before;
    if (selector.present() && Labels.isEmpty(selector)) {
      selector.invalid("empty selector is invalid for " + kind);
    }
    if (!wellFormed) {
      if (malformed.isEmpty()) {
        selector.invalid();
      } else {
        selector.invalid(malformed);
      }
      return false;
    }
    validateSelectorMatchesTemplate(selector, template);
    return true;
  }

  /** The schema requires the selector; an absent one matches nothing. */
  static void validateSelectorMatchesTemplate(Value selector, Value template) {
    Value labels = template.get("metadata", "labels");
    if (selector.absent()
        || (!Labels.isEmpty(selector) && !Labels.matches(selector, labels.map()))) {
      labels.invalid(ReplicaRules.NO_MATCH);
    }
  }
}
