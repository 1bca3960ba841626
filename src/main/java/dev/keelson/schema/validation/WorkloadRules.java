package dev.keelson.schema.validation;

import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What keeps pods running: deployments, replica sets, stateful sets, daemon sets, controllers. */
final class WorkloadRules {

  private static final String NO_MATCH = "`selector` does not match template `labels`";

  private WorkloadRules() {}

  static void addTo(Map<String, TypeRules> rules) {
    rules.put("apps/Deployment", new Deployment(true));
    rules.put("extensions/Deployment", new Deployment(false));
    rules.put("apps/ReplicaSet", new ReplicaSet(true));
    rules.put("extensions/ReplicaSet", new ReplicaSet(false));
    rules.put("apps/DaemonSet", new DaemonSet(true));
    rules.put("extensions/DaemonSet", new DaemonSet(false));
    rules.put("apps/StatefulSet", new StatefulSet());
    rules.put("apps/ControllerRevision", new ControllerRevision());
    rules.put("/ReplicationController", new ReplicationController());
    rules.put(
        "/PodTemplate",
        new TypeRules() {
          @Override
          public void check(Value object) {
            PodRules.template(object.get("template"));
          }
        });
  }

  /**
   * The selector over pods, which must select something, and the labels of the draft that it must
   * select.
   *
   * @param malformed what Kubernetes says, beside the reasons, of a selector that is none
   * @return whether the selector can be used; if not, the draft is not looked at
   */
  private static boolean selectorAndTemplate(Value spec, String kind, String malformed) {
    Value selector = spec.get("selector");
    Value template = spec.get("template");
    int before = selector.complaints();
    Labels.selector(selector);
    boolean wellFormed = selector.complaints() == before;
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
  private static void matching(Value selector, Value template) {
    Value labels = template.get("metadata", "labels");
    if (selector.absent() || !Labels.isEmpty(selector) && !Labels.matches(selector, labels.map())) {
      labels.invalid(NO_MATCH);
    }
  }

  /** Pods that are replaced always restart. */
  private static void alwaysRestarts(Value template, String kind) {
    template.get("spec", "restartPolicy").oneOf("Always");
    Value deadline = template.get("spec", "activeDeadlineSeconds");
    if (deadline.present()) {
      deadline.forbidden("activeDeadlineSeconds in " + kind + " is not Supported");
    }
  }

  private static void counts(Value spec) {
    spec.get("replicas").notNegative();
    spec.get("minReadySeconds").notNegative();
    spec.get("revisionHistoryLimit").notNegative();
  }

  /** A number from 0, or a percentage. */
  static void numberOrPercent(Value value) {
    if (value.isText()) {
      String text = value.text();
      if (percent(value) < 0) {
        value.invalid(
            text,
            "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%', "
                + " or '93%', regex used for validation is '[0-9]+%')");
      }
    } else {
      value.notNegative();
    }
  }

  static void atMostAll(Value value) {
    if (percent(value) > 100) {
      value.invalid("must not be greater than 100%");
    }
  }

  /** The percentage that a text says, or -1. */
  private static int percent(Value value) {
    String text = value.text();
    return text.endsWith("%")
        ? Formats.decimal(text.substring(0, text.length() - 1), Integer.MAX_VALUE)
        : -1;
  }

  /** What is neither a number nor a percentage counts as zero, as in Kubernetes. */
  private static boolean isZero(Value value) {
    if (value.isText()) {
      int percent = percent(value);
      return percent == 0 || percent < 0 && Formats.decimal(value.text(), Integer.MAX_VALUE) <= 0;
    }
    return value.isNumber() && value.number() == 0;
  }

  private record Deployment(boolean fixedSelector) implements TypeRules {
    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      counts(spec);
      if (selectorAndTemplate(spec, "deployment", "invalid label selector")) {
        PodRules.template(spec.get("template"));
        alwaysRestarts(spec.get("template"), "ReplicaSet");
      }
      strategy(spec.get("strategy"));
      Value deadline = spec.get("progressDeadlineSeconds");
      if (deadline.present()) {
        deadline.notNegative();
        if (deadline.number() <= spec.get("minReadySeconds").number()) {
          deadline.invalid("must be greater than minReadySeconds");
        }
      }
    }

    private static void strategy(Value strategy) {
      Value rolling = strategy.get("rollingUpdate");
      switch (strategy.get("type").text()) {
        case "Recreate" -> {
          if (rolling.present()) {
            rolling.forbidden("may not be specified when strategy `type` is 'Recreate'");
          }
        }
        case "", "RollingUpdate" -> {
          Value unavailable = rolling.get("maxUnavailable");
          Value surge = rolling.get("maxSurge");
          numberOrPercent(unavailable);
          numberOrPercent(surge);
          if (isZero(unavailable) && isZero(surge)) {
            unavailable.invalid("may not be 0 when `maxSurge` is 0");
          }
          atMostAll(unavailable);
        }
        default -> strategy.unsupported("Recreate", "RollingUpdate");
      }
    }

    @Override
    public void changed(Value object, Value old) {
      if (fixedSelector) {
        object.get("spec", "selector").immutable(old.get("spec", "selector"));
      }
    }

    @Override
    public void statusChanged(Value object, Value old) {
      Value status = object.get("status");
      nonNegative(
          status,
          "observedGeneration",
          "replicas",
          "updatedReplicas",
          "readyReplicas",
          "availableReplicas",
          "unavailableReplicas",
          "terminatingReplicas",
          "collisionCount");
      atMost(status, "replicas", "updatedReplicas", "readyReplicas", "availableReplicas");
      if (status.get("availableReplicas").number() > status.get("readyReplicas").number()) {
        status.get("availableReplicas").invalid("cannot be greater than readyReplicas");
      }
      decremented(status.get("collisionCount"), old.get("status", "collisionCount"));
    }
  }

  private static void nonNegative(Value status, String... fields) {
    for (String field : fields) {
      status.get(field).notNegative();
    }
  }

  private static void decremented(Value count, Value old) {
    if (old.present() && (count.absent() || count.number() < old.number())) {
      ContainerRules.zeroOr(count).invalid("cannot be decremented");
    }
  }

  private static void atMost(Value status, String total, String... fields) {
    for (String field : fields) {
      if (status.get(field).number() > status.get(total).number()) {
        status.get(field).invalid("cannot be greater than status." + total);
      }
    }
  }

  private record ReplicaSet(boolean fixedSelector) implements TypeRules {
    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      counts(spec);
      if (selectorAndTemplate(spec, "deployment", "invalid label selector")) {
        PodRules.template(spec.get("template"));
        alwaysRestarts(spec.get("template"), "ReplicaSet");
      }
    }

    @Override
    public void changed(Value object, Value old) {
      if (fixedSelector) {
        object.get("spec", "selector").immutable(old.get("spec", "selector"));
      }
    }

    @Override
    public void statusChanged(Value object, Value old) {
      replicaStatus(object.get("status"));
    }
  }

  private static void replicaStatus(Value status) {
    nonNegative(
        status,
        "replicas",
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas",
        "observedGeneration");
    for (String field :
        new String[] {"fullyLabeledReplicas", "readyReplicas", "availableReplicas"}) {
      if (status.get(field).number() > status.get("replicas").number()) {
        status.get(field).invalid("cannot be greater than status.replicas");
      }
    }
    if (status.get("availableReplicas").number() > status.get("readyReplicas").number()) {
      status.get("availableReplicas").invalid("cannot be greater than readyReplicas");
    }
  }

  private record DaemonSet(boolean fixedSelector) implements TypeRules {
    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      counts(spec);
      Value selector = spec.get("selector");
      int before = selector.complaints();
      Labels.selector(selector);
      if (selector.complaints() == before) {
        matching(selector, spec.get("template"));
      }
      if (selector.present() && Labels.isEmpty(selector)) {
        selector.invalid("empty selector is invalid for daemonset");
      }
      PodRules.template(spec.get("template"));
      alwaysRestarts(spec.get("template"), "DaemonSet");
      Value strategy = spec.get("updateStrategy");
      switch (strategy.get("type").text()) {
        case "", "OnDelete" -> {}
        case "RollingUpdate" -> rolling(strategy.get("rollingUpdate"));
        default -> strategy.unsupportedInOrder("RollingUpdate", "OnDelete");
      }
    }

    private static void rolling(Value rolling) {
      Value unavailable = rolling.get("maxUnavailable");
      Value surge = rolling.get("maxSurge");
      numberOrPercent(unavailable);
      numberOrPercent(surge);
      atMostAll(unavailable);
      atMostAll(surge);
      if (unavailable.present() && surge.present()) {
        if (!isZero(unavailable) && !isZero(surge)) {
          surge.invalid("may not be set when maxUnavailable is non-zero");
        } else if (isZero(unavailable) && isZero(surge)) {
          unavailable.required("cannot be 0 when maxSurge is 0");
        }
      }
    }

    @Override
    public void changed(Value object, Value old) {
      if (fixedSelector) {
        object.get("spec", "selector").immutable(old.get("spec", "selector"));
      }
    }

    @Override
    public void statusChanged(Value object, Value old) {
      nonNegative(
          object.get("status"),
          "currentNumberScheduled",
          "numberMisscheduled",
          "desiredNumberScheduled",
          "numberReady",
          "observedGeneration",
          "updatedNumberScheduled",
          "numberAvailable",
          "numberUnavailable",
          "collisionCount");
      decremented(object.get("status", "collisionCount"), old.get("status", "collisionCount"));
    }
  }

  /**
   * The claims of a stateful set are volumes of its pods. What is stored with a draft that is
   * wrong, from the time when drafts were not looked at, can go on.
   */
  private record StatefulSet() implements TypeRules {
    private static final SchemaRules SCHEMA_RULES = new SchemaRules();

    private static final String[] MUTABLE = {
      "replicas",
      "ordinals",
      "template",
      "updateStrategy",
      "revisionHistoryLimit",
      "persistentVolumeClaimRetentionPolicy",
      "minReadySeconds"
    };

    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      counts(spec);
      Value policy = spec.get("podManagementPolicy");
      if (policy.filled() && !policy.is("OrderedReady") && !policy.is("Parallel")) {
        policy.invalid("must be 'OrderedReady' or 'Parallel'");
      }
      spec.get("ordinals", "start").notNegative();
      strategy(spec.get("updateStrategy"));
      Value template = spec.get("template");
      if (selectorAndTemplate(spec, "statefulset", "")) {
        PodRules.labels(template.get("metadata", "labels"), template.get("labels"));
      }
      alwaysRestarts(template, "StatefulSet");
    }

    @Override
    public void created(Value object) {
      object.get("spec", "serviceName").dnsLabel();
      draft(object);
    }

    /** The draft of the pods with the volumes that they will have. */
    private static void draft(Value object) {
      Value template = object.get("spec", "template");
      MapNode pod = template.map().map("spec");
      List<Node> volumes = new ArrayList<>(pod.items("volumes"));
      for (Value claim : object.get("spec", "volumeClaimTemplates")) {
        String name = claim.get("metadata", "name").text();
        if (volumes.stream().noneMatch(each -> isNamed(each, name))) {
          volumes.add(
              MapNode.of("name", Node.text(name))
                  .with("persistentVolumeClaim", MapNode.of("claimName", Node.text("of-" + name))));
        }
      }
      if (!volumes.isEmpty()) {
        pod = pod.with("volumes", new Node.Items(volumes));
      }
      Value draft = template.holding(template.map().with("spec", pod));
      SCHEMA_RULES.check(draft, draft.struct());
      PodRules.template(draft);
    }

    private static boolean isNamed(Node volume, String name) {
      return volume instanceof MapNode map && map.text("name").equals(name);
    }

    private static boolean hasGoodDraft(Value object) {
      Causes causes = new Causes(object.struct(), null);
      draft(Value.root(object.map(), causes));
      return causes.found().isEmpty();
    }

    private static void strategy(Value strategy) {
      Value rolling = strategy.get("rollingUpdate");
      switch (strategy.get("type").text()) {
        case "" -> {}
        case "OnDelete" -> {
          if (rolling.present()) {
            rolling.invalid("only allowed for updateStrategy 'RollingUpdate'");
          }
        }
        case "RollingUpdate" -> {
          rolling.get("partition").notNegative();
          Value unavailable = rolling.get("maxUnavailable");
          numberOrPercent(unavailable);
          if (isZero(unavailable)) {
            unavailable.invalid("cannot be 0");
          }
          atMostAll(unavailable);
        }
        default -> strategy.invalid("must be 'RollingUpdate' or 'OnDelete'");
      }
    }

    @Override
    public void changed(Value object, Value old) {
      Value spec = object.get("spec");
      if (!spec.get("template").sameAs(old.get("spec", "template")) && hasGoodDraft(old)) {
        draft(object);
      }
      MapNode kept = spec.map();
      MapNode was = old.get("spec").map();
      for (String field : MUTABLE) {
        Node value = was.get(field);
        kept = value == null ? kept.without(field) : kept.with(field, value);
      }
      if (!kept.equals(was)) {
        spec.forbidden(
            "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                + " 'updateStrategy', 'revisionHistoryLimit',"
                + " 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden");
      }
    }

    @Override
    public void statusChanged(Value object, Value old) {
      Value status = object.get("status");
      nonNegative(
          status,
          "replicas",
          "readyReplicas",
          "currentReplicas",
          "updatedReplicas",
          "availableReplicas",
          "observedGeneration",
          "collisionCount");
      atMost(
          status,
          "replicas",
          "readyReplicas",
          "currentReplicas",
          "updatedReplicas",
          "availableReplicas");
      if (status.get("availableReplicas").number() > status.get("readyReplicas").number()) {
        status.get("availableReplicas").invalid("cannot be greater than status.readyReplicas");
      }
      decremented(status.get("collisionCount"), old.get("status", "collisionCount"));
    }
  }

  private record ReplicationController() implements TypeRules {
    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      counts(spec);
      Value selector = spec.get("selector");
      Value template = spec.get("template");
      selector.needed();
      if (template.absent()) {
        template.required();
        return;
      }
      Value labels = template.get("metadata", "labels");
      if (selector.filled() && !Labels.contains(labels.map(), selector.map())) {
        labels.invalid(NO_MATCH);
      }
      PodRules.template(template);
      alwaysRestarts(template, "ReplicationController");
    }

    @Override
    public void statusChanged(Value object, Value old) {
      replicaStatus(object.get("status"));
    }
  }

  private record ControllerRevision() implements TypeRules {
    @Override
    public void check(Value object) {
      object.get("data").existing("data is mandatory");
      object.get("revision").notNegative();
    }

    @Override
    public void changed(Value object, Value old) {
      object.get("data").immutable(old.get("data"));
    }
  }
}
