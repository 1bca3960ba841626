package dev.keelson.schema.validation.batch;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.Value;
import java.util.ArrayList;
import java.util.List;

/** What may change in a job (source: the update rules of jobs). */
final class JobUpdateRules {
  /** What a job that is suspended, and whose pods are gone, may change of where its pods run. */
  private static final String[] DIRECTIVES = {"nodeSelector", "tolerations", "schedulingGates"};

  private JobUpdateRules() {}

  static void validateJobUpdate(Value object, Value old) {
    Value spec = object.get("spec");
    Value was = old.get("spec");
    completions(spec, was);
    spec.get("selector").immutable(was.get("selector"));
    Value status = old.get("status");
    boolean stopped =
        status.get("startTime").absent() || JobStatusRules.isTrue(status, "Suspended");
    boolean open = was.get("suspend").flag() && status.get("active").number() == 0 && stopped;
    template(spec.get("template"), was.get("template"), open);
    for (String field :
        new String[] {
          "completionMode", "podFailurePolicy", "backoffLimitPerIndex", "managedBy", "successPolicy"
        }) {
      spec.get(field).immutable(was.get(field));
    }
  }

  private static void completions(Value spec, Value was) {
    Value completions = spec.get("completions");
    if (completions.sameAs(was.get("completions"))) {
      return;
    }
    if (!spec.get("completionMode").is("Indexed")) {
      completions.invalid("field is immutable");
    } else if (completions.present() && !completions.sameAs(spec.get("parallelism"))) {
      completions.invalid("can only be modified in tandem with spec.parallelism");
    }
  }

  private static void template(Value template, Value was, boolean open) {
    MapNode kept = was.map();
    if (open) {
      MapNode spec = kept.map("spec");
      for (String field : DIRECTIVES) {
        spec = spec.replaced(field, template.get("spec", field).node());
      }
      spec = withAffinity(spec, template.get("spec", "affinity"));
      for (String list : new String[] {"containers", "initContainers"}) {
        spec = withResources(spec, template.get("spec", list));
      }
      MapNode metadata = kept.map("metadata");
      for (String field : new String[] {"annotations", "labels"}) {
        metadata = metadata.replaced(field, template.get("metadata", field).node());
      }
      kept = kept.with("spec", spec);
      kept = metadata.isEmpty() ? kept.without("metadata") : kept.with("metadata", metadata);
    }
    if (!template.map().equals(kept)) {
      template.invalid("field is immutable");
    }
  }

  /** Only the affinity to nodes may change. */
  private static MapNode withAffinity(MapNode spec, Value affinity) {
    MapNode kept =
        spec.map("affinity").replaced("nodeAffinity", affinity.get("nodeAffinity").node());
    return affinity.absent() && kept.isEmpty()
        ? spec.without("affinity")
        : spec.has("affinity") || affinity.present() ? spec.with("affinity", kept) : spec;
  }

  private static MapNode withResources(MapNode spec, Value containers) {
    List<Node> kept = new ArrayList<>(spec.items(containers.name()));
    if (kept.size() != containers.size()) {
      return spec;
    }
    for (int i = 0; i < kept.size(); i++) {
      if (kept.get(i) instanceof MapNode container) {
        kept.set(i, container.replaced("resources", containers.at(i).get("resources").node()));
      }
    }
    return kept.isEmpty() ? spec : spec.with(containers.name(), new Node.Items(kept));
  }
}
