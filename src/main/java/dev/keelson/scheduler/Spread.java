package dev.keelson.scheduler;

import dev.keelson.api.LabelSelector;
import dev.keelson.controller.workload.Selectors;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * A topology spread constraint. The label keys to match are in the selector already, where the API
 * server has put them.
 *
 * @param most how many more pods a domain may have than the one with the fewest
 * @param domains so many domains are wanted at least; with fewer, the fewest pods are 0
 * @param required whether a node that breaks the constraint is left out
 * @param byAffinity whether nodes that the pod's node affinity leaves out do not count
 * @param byTaints whether nodes with taints that the pod does not tolerate do not count
 */
record Spread(
    long most,
    String topologyKey,
    LabelSelector selector,
    long domains,
    boolean required,
    boolean byAffinity,
    boolean byTaints) {

  static List<Spread> of(MapNode spec) {
    return spec.maps("topologySpreadConstraints").stream().map(Spread::constraint).toList();
  }

  private static Spread constraint(MapNode constraint) {
    // without a selector no pod counts
    LabelSelector selector =
        constraint.has("labelSelector")
            ? Selectors.of(constraint.map("labelSelector")).orElse(NOTHING)
            : NOTHING;
    return new Spread(
        Numbers.of(constraint, "maxSkew"),
        constraint.text("topologyKey"),
        selector,
        Math.max(1, Numbers.of(constraint, "minDomains")),
        !constraint.text("whenUnsatisfiable").equals("ScheduleAnyway"),
        !constraint.text("nodeAffinityPolicy").equals("Ignore"),
        constraint.text("nodeTaintsPolicy").equals("Honor"));
  }

  /** No label has this key. */
  private static final LabelSelector NOTHING = LabelSelector.parse("keelson.dev/none in (none)");
}
