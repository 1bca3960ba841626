package dev.keelson.schema.validation.apps;

import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.ReplicaRules;

/** The selectors of workloads over the pods of their templates. */
final class SelectorRules {
  private SelectorRules() {}

  /**
   * The selector over pods, which must select something, and the labels of the draft that it must
   * select.
   *
   * @param malformed what Kubernetes says, beside the reasons, of a selector that is none
   * @return whether the selector can be used; if not, the draft is not looked at
   */
  static boolean selectorAndTemplate(Value spec, String kind, String malformed) {
    Value selector = spec.get("selector");
    Value template = spec.get("template");
    int before = selector.causeCount();
    Labels.selector(selector);
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
    matching(selector, template);
    return true;
  }

  /** That a selector is required is told by the schema; without one, nothing matches. */
  static void matching(Value selector, Value template) {
    Value labels = template.get("metadata", "labels");
    if (selector.absent()
        || (!Labels.isEmpty(selector) && !Labels.matches(selector, labels.map()))) {
      labels.invalid(ReplicaRules.NO_MATCH);
    }
  }
}
