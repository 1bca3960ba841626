package dev.keelson.scheduler;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.LabelSelector;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.workload.Selectors;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the scheduler reads of a PodDisruptionBudget.
 *
 * @param selector null if it selects nothing here: it is missing, empty or wrong
 * @param allowed how many pods may be disrupted
 * @param disrupted the names of pods that already count as disrupted
 */
record BudgetView(
    ObjectName name, @Nullable LabelSelector selector, long allowed, Set<String> disrupted) {

  static final InformerType<BudgetView> TYPE =
      new InformerType<>(
          new GroupVersion("policy", "v1").resource("poddisruptionbudgets"),
          BudgetView::of,
          List.of());

  BudgetView {
    disrupted = Set.copyOf(disrupted);
  }

  static BudgetView of(ApiObject budget) {
    MapNode status = budget.root().map("status");
    return new BudgetView(
        ObjectName.of(budget.meta()),
        Selectors.of(budget.root().map("spec").map("selector"))
            .filter(selector -> !selector.isEverything())
            .orElse(null),
        Numbers.of(status, "disruptionsAllowed"),
        new HashSet<>(status.map("disruptedPods").keys()));
  }

  /** Whether the disruption of a pod counts against it. */
  private boolean covers(PodView pod) {
    return selector != null
        && name.namespace().equals(pod.name().namespace())
        && !pod.labels().isEmpty()
        && selector.matches(pod.labels())
        && !disrupted.contains(pod.name().name());
  }

  /**
   * The pods whose disruption would violate a budget, if all are disrupted in their order (source:
   * kube-scheduler's {@code filterPodsWithPDBViolation}).
   */
  static List<PodView> violating(List<PodView> pods, List<BudgetView> budgets) {
    long[] left = new long[budgets.size()];
    for (int i = 0; i < left.length; i++) {
      left[i] = budgets.get(i).allowed();
    }
    List<PodView> violating = new ArrayList<>();
    for (PodView pod : pods) {
      boolean violated = false;
      for (int i = 0; i < left.length; i++) {
        if (budgets.get(i).covers(pod)) {
          left[i]--;
          violated |= left[i] < 0;
        }
      }
      if (violated) {
        violating.add(pod);
      }
    }
    return violating;
  }
}
