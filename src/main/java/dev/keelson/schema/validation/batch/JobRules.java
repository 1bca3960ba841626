package dev.keelson.schema.validation.batch;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.ReplicaRules;
import dev.keelson.schema.validation.core.pod.WorkloadRules;
import java.util.function.Consumer;

/** Jobs. */
final class JobRules implements WorkloadRules {
  private static final String PREFIX = "batch.kubernetes.io/";

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  private static void spec(Value spec) {
    JobSpecRules.validateJobSpec(spec);
    Value selector = spec.get("selector");
    Value labels = spec.get("template", "metadata", "labels");
    if (selector.absent()) {
      selector.required();
      labels.invalid(ReplicaRules.NO_MATCH);
      return;
    }
    int before = selector.causeCount();
    Labels.validateLabelSelector(selector);
    if (selector.causeCount() == before && !Labels.matches(selector, labels.map())) {
      labels.invalid(ReplicaRules.NO_MATCH);
    }
  }

  /**
   * A selector that is not the user's must be the one that the server makes.
   *
   * @param prefixed whether the labels with a prefix must be there; jobs of old lack them
   */
  private static void generated(Value object, boolean prefixed) {
    Value spec = object.get("spec");
    Value selector = spec.get("selector");
    String uid = object.get("metadata", "uid").text();
    String name = object.get("metadata", "name").text();
    if (spec.get("manualSelector").flag() || selector.absent() || uid.isEmpty()) {
      return;
    }
    MapNode.Builder builder =
        MapNode.builder(4).put("controller-uid", Node.text(uid)).put("job-name", Node.text(name));
    if (prefixed) {
      builder.put(PREFIX + "controller-uid", Node.text(uid));
      builder.put(PREFIX + "job-name", Node.text(name));
    }
    MapNode expected = builder.build();
    Value labels = spec.get("template", "metadata", "labels");
    for (String key : expected.keys()) {
      Value label = labels.key(key);
      if (label.absent()) {
        label.required("must be '" + expected.text(key) + "'");
      } else if (!label.is(expected.text(key))) {
        labels.invalidAt(label, "must be '" + expected.text(key) + "'");
      }
    }
    if (!Labels.matches(selector, expected)) {
      selector.invalid("`selector` not auto-generated");
    }
  }

  /** The pods of an indexed job are named after it and their index. */
  private static void indexedName(Value name, Value spec) {
    long completions = spec.get("completions").number();
    if (!spec.get("completionMode").is("Indexed") || completions <= 0) {
      return;
    }
    String last = name.text() + "-" + (completions - 1);
    if (!Formats.DNS_LABEL.apply(last).isEmpty()) {
      name.invalid("will not able to create pod with invalid DNS label: " + last);
    }
  }

  @Override
  public void validateCreate(Value object) {
    generated(object, /* prefixed= */ true);
    spec(object.get("spec"));
    indexedName(object.get("metadata", "name"), object.get("spec"));
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    Value labels = old.get("spec", "template", "metadata", "labels");
    generated(
        object,
        labels.key(PREFIX + "controller-uid").present()
            && labels.key(PREFIX + "job-name").present());
    int before = object.causeCount();
    spec(object.get("spec"));
    int after = object.causeCount();
    indexedName(object.get("metadata", "name"), object.get("spec"));
    // Kubernetes' rules of updates begin with those of the spec
    object.repeatCauses(before, after);
    JobUpdateRules.validateJobUpdate(object, old);
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    JobStatusRules.validateJobStatusUpdate(object, old);
  }

  @Override
  public void warnAboutPods(Value object, Consumer<String> warnings) {
    JobSpecRules.warnAboutJobSpec(object.get("spec"), warnings);
  }
}
