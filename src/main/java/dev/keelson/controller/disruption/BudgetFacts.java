package dev.keelson.controller.disruption;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.LabelSelector;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.workload.Selectors;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the controller keeps of a PodDisruptionBudget between two looks at it.
 *
 * @param selector null if it is not set, and selects no pod then
 */
record BudgetFacts(ObjectName name, @Nullable LabelSelector selector) {

  static final GroupVersionResource RESOURCE =
      new GroupVersion("policy", "v1").resource("poddisruptionbudgets");

  static final InformerType<BudgetFacts> TYPE =
      new InformerType<>(RESOURCE, BudgetFacts::of, List.of());

  static BudgetFacts of(ApiObject budget) {
    MapNode spec = budget.root().map("spec");
    return new BudgetFacts(
        ObjectName.of(budget.meta()),
        spec.has("selector") ? Selectors.of(spec.map("selector")).orElse(null) : null);
  }

  boolean selects(Map<String, String> labels) {
    return selector != null && selector.matches(labels);
  }
}
