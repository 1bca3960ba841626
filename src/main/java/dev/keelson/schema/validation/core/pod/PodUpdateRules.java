package dev.keelson.schema.validation.core.pod;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.ValueSet;
import dev.keelson.value.GoQuote;
import dev.keelson.value.WhiteSpace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What may change in the spec of a pod that exists, and through which subresource. */
final class PodUpdateRules {
  private static final String FEW_FIELDS =
      "pod updates may not change fields other than"
          + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations`"
          + " (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow"
          + " it to be set to 1 if it was previously negative)";
  private static final String[] CONTAINER_LISTS = {"containers", "initContainers"};

  private PodUpdateRules() {}

  /** The update of a pod itself. */
  static void validatePodUpdate(Value spec, Value old) {
    for (String list : CONTAINER_LISTS) {
      Value containers = spec.get(list);
      if (containers.size() != old.get(list).size()) {
        containers.forbidden("pod updates may not add or remove containers");
        return;
      }
      for (Value container : containers) {
        validateImage(container.get("image"));
      }
    }
    if (!validateActiveDeadlineUpdate(
        spec.get("activeDeadlineSeconds"), old.get("activeDeadlineSeconds"))) {
      return;
    }
    validateTolerationsUpdate(spec.get("tolerations"), old.get("tolerations"));
    validateSchedulingGatesUpdate(spec.get("schedulingGates"), old.get("schedulingGates"));
    if (spec.sameAs(old)) {
      return;
    }
    MapNode kept = withMutable(spec.map(), old.map());
    if (old.get("schedulingGates").size() > 0) {
      kept = kept.replaced("nodeSelector", old.map().get("nodeSelector"));
      kept = withoutNodeAffinity(kept, old.map());
      validateGatedPodUpdate(spec, old);
    }
    if (!kept.equals(old.map())) {
      spec.forbidden(FEW_FIELDS + "\n" + spec.difference(kept, old.map()));
    }
  }

  private static void validateImage(Value image) {
    image.needed();
    if (WhiteSpace.surrounds(image.text())) {
      image.invalid("must not have leading or trailing whitespace");
    }
  }

  /** Where a pod that waits may run can be narrowed down. */
  private static void validateGatedPodUpdate(Value spec, Value old) {
    Value selector = spec.get("nodeSelector");
    if (!Labels.contains(selector.map(), old.get("nodeSelector").map())) {
      selector.invalid(
          "only additions to spec.nodeSelector are allowed (no mutations or deletions)");
    }
    String required = "requiredDuringSchedulingIgnoredDuringExecution";
    Value terms = spec.get("affinity", "nodeAffinity", required, "nodeSelectorTerms");
    Value before = old.get("affinity", "nodeAffinity", required, "nodeSelectorTerms");
    if (before.size() > 0 && terms.size() != before.size()) {
      terms.invalid("no additions/deletions to non-empty NodeSelectorTerms list are allowed");
      return;
    }
    for (int i = 0; i < before.size(); i++) {
      if (!adds(terms.at(i), before.at(i))) {
        terms.at(i).invalid("only additions are allowed (no mutations or deletions)");
      }
    }
  }

  private static boolean adds(Value term, Value old) {
    boolean wasEmpty = old.get("matchExpressions").size() + old.get("matchFields").size() == 0;
    if (wasEmpty) {
      // a term without requirements selects nothing, so anything would widen it
      return term.get("matchExpressions").size() + term.get("matchFields").size() == 0;
    }
    return beginsWith(term.get("matchExpressions"), old.get("matchExpressions"))
        && beginsWith(term.get("matchFields"), old.get("matchFields"));
  }

  private static boolean beginsWith(Value list, Value first) {
    return list.size() >= first.size()
        && list.items().subList(0, first.size()).equals(first.items());
  }

  /** {@code spec} with the old node affinity, which {@link #validateGatedPodUpdate} validates. */
  private static MapNode withoutNodeAffinity(MapNode spec, MapNode old) {
    if (spec.map("affinity").without("nodeAffinity").isEmpty()
        && old.map("affinity").without("nodeAffinity").isEmpty()) {
      return spec.replaced("affinity", old.get("affinity"));
    }
    return spec.with(
        "affinity",
        spec.map("affinity").replaced("nodeAffinity", old.map("affinity").get("nodeAffinity")));
  }

  /** Rejects a later deadline; false if the rest of the update is not validated then. */
  private static boolean validateActiveDeadlineUpdate(Value deadline, Value old) {
    if (deadline.present()) {
      if (deadline.number() < 0 || deadline.number() > Integer.MAX_VALUE) {
        deadline.range(0, Integer.MAX_VALUE);
        return false;
      }
      if (old.present() && old.number() < deadline.number()) {
        deadline.invalid("must be less than or equal to previous value");
        return false;
      }
    } else if (old.present()) {
      deadline.invalid("must not update from a positive integer to nil value");
    }
    return true;
  }

  private static void validateSchedulingGatesUpdate(Value gates, Value old) {
    ValueSet known = old.valuesOf("name");
    for (Value gate : gates) {
      Value name = gate.get("name");
      if (!known.contains(name.node())) {
        name.forbidden(
            "only deletion is allowed, but found new scheduling gate '" + name.text() + "'");
      }
    }
  }

  /** Each old toleration must still be there, with another time at most. */
  private static void validateTolerationsUpdate(Value tolerations, Value old) {
    Set<Node> now = new HashSet<>();
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
  private static MapNode withMutable(MapNode spec, MapNode old) {
    MapNode kept = spec;
    for (String list : CONTAINER_LISTS) {
      kept = withImages(kept, old, list);
    }
    for (String field : new String[] {"activeDeadlineSeconds", "tolerations", "schedulingGates"}) {
      kept = kept.replaced(field, old.get(field));
    }
    if (old.get("terminationGracePeriodSeconds") instanceof Node.Int grace
        && grace.value() < 0
        && spec.get("terminationGracePeriodSeconds") instanceof Node.Int one
        && one.value() == 1) {
      kept =
          kept.replaced("terminationGracePeriodSeconds", old.get("terminationGracePeriodSeconds"));
    }
    return kept;
  }

  private static MapNode withImages(MapNode spec, MapNode old, String list) {
    List<Node> before = old.items(list);
    List<Node> after = new ArrayList<>(spec.items(list));
    for (int i = 0; i < after.size(); i++) {
      if (after.get(i) instanceof MapNode container && before.get(i) instanceof MapNode was) {
        after.set(i, container.replaced("image", was.get("image")));
      }
    }
    return spec.has(list) ? spec.with(list, new Node.Items(after)) : spec;
  }

  /** Ephemeral containers may be added, and nothing else changed. */
  static void validateEphemeralContainersUpdate(Value spec, Value old) {
    Value containers = spec.get("ephemeralContainers");
    Map<Object, Value> byName = new HashMap<>();
    for (Value each : containers) {
      byName.put(ValueSet.key(each.get("name").node()), each);
    }
    for (Value was : old.get("ephemeralContainers")) {
      String name = GoQuote.quote(was.get("name").text());
      Value now = byName.get(ValueSet.key(was.get("name").node()));
      if (now == null) {
        containers.forbidden("existing ephemeral containers " + name + " may not be removed\n");
      } else if (!now.sameAs(was)) {
        containers.forbidden(
            "existing ephemeral containers "
                + name
                + " may not be changed\n"
                + now.difference(now.map(), was.map()));
      }
    }
  }
}
