package dev.keelson.schema.validation;

import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What may change in the spec of a pod that exists, and through which subresource. */
final class PodUpdateRules {

  private static final String FEW_FIELDS =
      "pod updates may not change fields other than `spec.containers[*].image`,"
          + "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to"
          + " existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was"
          + " previously negative)";

  private static final String[] CONTAINER_LISTS = {"containers", "initContainers"};

  private PodUpdateRules() {}

  /** The update of a pod itself. */
  static void changed(Value spec, Value old) {
    if (spec.sameAs(old)) {
      return;
    }
    boolean counted = true;
    for (String list : CONTAINER_LISTS) {
      if (spec.get(list).size() != old.get(list).size()) {
        spec.get(list).forbidden("pod updates may not add or remove containers");
        counted = false;
      }
    }
    if (!counted) {
      return;
    }
    deadline(spec.get("activeDeadlineSeconds"), old.get("activeDeadlineSeconds"));
    gates(spec.get("schedulingGates"), old.get("schedulingGates"));
    tolerations(spec.get("tolerations"), old.get("tolerations"));
    boolean gated = old.get("schedulingGates").size() > 0;
    if (gated && !Labels.contains(spec.get("nodeSelector").map(), old.get("nodeSelector").map())) {
      spec.get("nodeSelector")
          .invalid("only additions to spec.nodeSelector are allowed (no mutations or deletions)");
    }
    MapNode kept = withMutable(spec.map(), old.map(), gated);
    if (!kept.equals(old.map())) {
      spec.forbidden(FEW_FIELDS + "\n" + String.join("\n", differing(kept, old.map())));
    }
  }

  private static void deadline(Value deadline, Value old) {
    if (deadline.present()) {
      if (old.present() && old.number() < deadline.number()) {
        deadline.invalid("must be less than or equal to previous value");
      }
    } else if (old.present()) {
      deadline.invalid("must not update from a positive integer to nil value");
    }
  }

  private static void gates(Value gates, Value old) {
    for (Value gate : gates) {
      if (!old.items().contains(gate.node())) {
        gates.forbidden(
            "only deletion is allowed, but found new scheduling gate '"
                + gate.get("name").text()
                + "'");
      }
    }
  }

  /** Each old toleration must still be there, with another time at most. */
  private static void tolerations(Value tolerations, Value old) {
    List<Node> now = new ArrayList<>();
    for (Value each : tolerations) {
      now.add(SchedulingRules.withoutSeconds(each));
    }
    for (Value each : old) {
      if (!now.contains(SchedulingRules.withoutSeconds(each))) {
        tolerations.forbidden(
            "existing toleration can not be modified except its tolerationSeconds");
        return;
      }
    }
  }

  /** {@code spec} with the old values of all that may change. */
  private static MapNode withMutable(MapNode spec, MapNode old, boolean gated) {
    MapNode kept = spec;
    for (String list : CONTAINER_LISTS) {
      kept = withImages(kept, old, list);
    }
    for (String field : new String[] {"activeDeadlineSeconds", "tolerations", "schedulingGates"}) {
      kept = keep(kept, old, field);
    }
    if (old.get("terminationGracePeriodSeconds") instanceof Node.Int grace
        && grace.value() < 0
        && spec.get("terminationGracePeriodSeconds") instanceof Node.Int one
        && one.value() == 1) {
      kept = keep(kept, old, "terminationGracePeriodSeconds");
    }
    if (gated) {
      kept = keep(keep(kept, old, "nodeSelector"), old, "affinity");
    }
    return kept;
  }

  private static MapNode withImages(MapNode spec, MapNode old, String list) {
    List<Node> before = old.items(list);
    List<Node> after = new ArrayList<>(spec.items(list));
    for (int i = 0; i < after.size(); i++) {
      if (after.get(i) instanceof MapNode container && before.get(i) instanceof MapNode was) {
        after.set(i, keep(container, was, "image"));
      }
    }
    return spec.has(list) ? spec.with(list, new Node.Items(after)) : spec;
  }

  private static MapNode keep(MapNode map, MapNode old, String field) {
    Node was = old.get(field);
    return was == null ? map.without(field) : map.with(field, was);
  }

  /** For the user: which fields differ, one a line. */
  private static List<String> differing(MapNode spec, MapNode old) {
    List<String> lines = new ArrayList<>();
    for (String field : old.keys()) {
      if (!Objects.equals(old.get(field), spec.get(field))) {
        lines.add("- " + field + ": " + Shown.of(old.get(field)));
      }
    }
    for (String field : spec.keys()) {
      if (!Objects.equals(spec.get(field), old.get(field))) {
        lines.add("+ " + field + ": " + Shown.of(spec.get(field)));
      }
    }
    return lines;
  }

  /** Ephemeral containers may be added, and nothing else changed. */
  static void ephemeral(Value spec, Value old) {
    Value containers = spec.get("ephemeralContainers");
    for (Value was : old.get("ephemeralContainers")) {
      boolean found = false;
      for (Value now : containers) {
        if (now.get("name").sameAs(was.get("name"))) {
          found = true;
          if (!now.sameAs(was)) {
            containers.forbidden(
                "existing ephemeral containers \""
                    + was.get("name").text()
                    + "\" may not be changed\n");
          }
        }
      }
      if (!found) {
        containers.forbidden(
            "existing ephemeral containers \""
                + was.get("name").text()
                + "\" may not be removed\n");
      }
    }
  }

  /** Amounts of resources may change, and nothing else. */
  static void resized(Value spec, Value old) {
    MapNode kept = keep(spec.map(), old.map(), "resources");
    for (String list : CONTAINER_LISTS) {
      List<Node> before = old.map().items(list);
      List<Node> after = new ArrayList<>(kept.items(list));
      if (before.size() != after.size()) {
        spec.forbidden("pod resize may not add or remove containers");
        return;
      }
      for (int i = 0; i < after.size(); i++) {
        if (after.get(i) instanceof MapNode container && before.get(i) instanceof MapNode was) {
          after.set(i, keep(keep(container, was, "resources"), was, "resizePolicy"));
        }
      }
      kept = kept.has(list) ? kept.with(list, new Node.Items(after)) : kept;
    }
    if (!kept.equals(old.map())) {
      spec.forbidden("only cpu and memory resources are mutable");
    }
  }
}
