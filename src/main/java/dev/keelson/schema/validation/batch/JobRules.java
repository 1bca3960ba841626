package dev.keelson.schema.validation.batch;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.pod.WorkloadRules;

/** Jobs. */
final class JobRules implements WorkloadRules {
  private static void spec(Value spec) {
    JobSpecRules.validateJobSpec(spec);
    Value selector = spec.get("selector");
    Value labels = spec.get("template", "metadata", "labels");
    if (selector.present()) {
      Labels.validateLabelSelector(selector);
    } else if (spec.get("manualSelector").flag()) {
      selector.required();
    }
    boolean selects = selector.present() && Labels.matches(selector, labels.map());
    if (!selects && (selector.present() || spec.get("manualSelector").flag())) {
      labels.invalid("`selector` does not match template `labels`");
    }
  }

  /** A selector that is not the user's must be the one that the server makes. */
  private static void generated(Value object) {
    Value spec = object.get("spec");
    Value selector = spec.get("selector");
    String uid = object.get("metadata", "uid").text();
    String name = object.get("metadata", "name").text();
    if (spec.get("manualSelector").flag() || selector.absent() || uid.isEmpty()) {
      return;
    }
    MapNode expected =
        MapNode.builder(4)
            .put("controller-uid", Node.text(uid))
            .put("job-name", Node.text(name))
            .put("batch.kubernetes.io/controller-uid", Node.text(uid))
            .put("batch.kubernetes.io/job-name", Node.text(name))
            .build();
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
    generated(object);
    spec(object.get("spec"));
    indexedName(object.get("metadata", "name"), object.get("spec"));
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    spec(object.get("spec"));
    JobUpdateRules.validateJobUpdate(object, old);
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    JobStatusRules.validateJobStatusUpdate(object, old);
  }
}
