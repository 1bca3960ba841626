package dev.keelson.schema.validation;

import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What may change in a job, and what its status may say (source: the update rules of jobs). */
final class JobUpdates {

  /** What a job that is suspended and never ran may still change of where its pods run. */
  private static final String[] DIRECTIVES = {"nodeSelector", "tolerations", "schedulingGates"};

  private JobUpdates() {}

  static void check(Value object, Value old) {
    Value spec = object.get("spec");
    Value was = old.get("spec");
    completions(spec, was);
    spec.get("selector").immutable(was.get("selector"));
    boolean open = was.get("suspend").flag() && old.get("status", "startTime").absent();
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
        spec = with(spec, field, template.get("spec", field).node());
      }
      spec = withAffinity(spec, template.get("spec", "affinity"));
      for (String list : new String[] {"containers", "initContainers"}) {
        spec = withResources(spec, template.get("spec", list));
      }
      MapNode metadata = kept.map("metadata");
      for (String field : new String[] {"annotations", "labels"}) {
        metadata = with(metadata, field, template.get("metadata", field).node());
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
    MapNode kept = with(spec.map("affinity"), "nodeAffinity", affinity.get("nodeAffinity").node());
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
        kept.set(i, with(container, "resources", containers.at(i).get("resources").node()));
      }
    }
    return kept.isEmpty() ? spec : spec.with(containers.name(), new Node.Items(kept));
  }

  private static MapNode with(MapNode map, String field, @Nullable Node value) {
    return value == null ? map.without(field) : map.with(field, value);
  }

  static void status(Value object, Value old) {
    Value status = object.get("status");
    for (String field : new String[] {"active", "succeeded", "failed", "ready", "terminating"}) {
      status.get(field).notNegative();
    }
    Value was = old.get("status");
    boolean complete = has(status, "Complete");
    boolean failed = has(status, "Failed");
    if (complete || failed) {
      finished(status, was);
    }
    if (complete && failed) {
      status.get("conditions").invalid("cannot set Complete=True and Failed=true conditions");
    }
    if (complete && has(status, "FailureTarget")) {
      status
          .get("conditions")
          .invalid("cannot set Complete=True and FailureTarget=true conditions");
    }
    times(object, old, complete);
    for (String kind : new String[] {"Complete", "Failed", "FailureTarget", "SuccessCriteriaMet"}) {
      if (has(was, kind) && !has(status, kind)) {
        status
            .get("conditions")
            .invalid("cannot disable the terminal Job condition \"" + kind + "\"");
      }
    }
  }

  private static void finished(Value status, Value was) {
    boolean before = has(was, "Complete") || has(was, "Failed");
    if (before) {
      return;
    }
    if (status.get("active").number() > 0) {
      status.get("active").invalid("active>0 is invalid for finished job");
    }
    if (status.get("terminating").number() > 0) {
      status.get("terminating").invalid("terminating>0 is invalid for finished job");
    }
    if (status.get("startTime").absent()) {
      status.get("startTime").required("startTime is required for finished job");
    }
    Value uncounted = status.get("uncountedTerminatedPods");
    if (uncounted.get("succeeded").size() + uncounted.get("failed").size() > 0) {
      uncounted.invalid("uncountedTerminatedPods needs to be empty for finished job");
    }
  }

  private static void times(Value object, Value old, boolean complete) {
    Value start = object.get("status", "startTime");
    Value oldStart = old.get("status", "startTime");
    if (oldStart.present() && !start.sameAs(oldStart) && !object.get("spec", "suspend").flag()) {
      if (start.absent()) {
        start.required("startTime cannot be removed for unsuspended job");
      } else {
        start.invalid("startTime cannot be modified for unsuspended job");
      }
    }
    Value end = object.get("status", "completionTime");
    Value oldEnd = old.get("status", "completionTime");
    if (complete && end.absent()) {
      end.required("completionTime is required for Complete jobs");
    }
    if (!complete && end.present()) {
      end.invalid("cannot set completionTime when there is no Complete=True condition");
    }
    if (end.present() && start.present() && end.text().compareTo(start.text()) < 0) {
      end.invalid("completionTime cannot be set before startTime");
    }
    if (oldEnd.present() && !end.sameAs(oldEnd)) {
      end.invalid("field is immutable");
    }
  }

  private static boolean has(Value status, String condition) {
    for (Value each : status.get("conditions")) {
      if (each.get("type").is(condition) && each.get("status").is("True")) {
        return true;
      }
    }
    return false;
  }
}
