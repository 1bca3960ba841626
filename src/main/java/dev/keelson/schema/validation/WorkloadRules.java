package dev.keelson.schema.validation;

import dev.keelson.object.Node;
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

  /** The selector over pods, which must select something, and the draft that it must select. */
  private static void selectorAndTemplate(Value spec, String kind, boolean wholeTemplate) {
    Value selector = spec.get("selector");
    Value template = spec.get("template");
    if (selector.present()) {
      Labels.selector(selector);
      if (Labels.isEmpty(selector)) {
        selector.invalid("empty selector is invalid for " + kind);
      }
    } else {
      // that it is required is told by the schema; and no selector matches nothing
      template.get("metadata", "labels").invalid(NO_MATCH);
    }
    Value labels = template.get("metadata", "labels");
    if (selector.absent() || !Labels.isEmpty(selector) && !Labels.matches(selector, labels.map())) {
      labels.invalid(NO_MATCH);
    }
    if (wholeTemplate) {
      PodRules.template(template);
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
            "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%',"
                + " regex used for validation is '[0-9]+%')");
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

  private static boolean isZero(Value value) {
    return value.isText() ? percent(value) == 0 : value.isNumber() && value.number() == 0;
  }

  private record Deployment(boolean fixedSelector) implements TypeRules {
    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      counts(spec);
      selectorAndTemplate(spec, "deployment", true);
      alwaysRestarts(spec.get("template"), "ReplicaSet");
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
      selectorAndTemplate(spec, "deployment", true);
      alwaysRestarts(spec.get("template"), "ReplicaSet");
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
      selectorAndTemplate(spec, "daemonset", true);
      alwaysRestarts(spec.get("template"), "DaemonSet");
      Value strategy = spec.get("updateStrategy");
      switch (strategy.get("type").text()) {
        case "", "OnDelete" -> {}
        case "RollingUpdate" -> rolling(strategy.get("rollingUpdate"));
        default -> strategy.unsupported("OnDelete", "RollingUpdate");
      }
    }

    private static void rolling(Value rolling) {
      Value unavailable = rolling.get("maxUnavailable");
      Value surge = rolling.get("maxSurge");
      numberOrPercent(unavailable);
      atMostAll(unavailable);
      numberOrPercent(surge);
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
   * The pods of a stateful set are checked when they are made, since their volumes come from the
   * claims; only the labels of the draft are looked at.
   */
  private record StatefulSet() implements TypeRules {
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
      selectorAndTemplate(spec, "statefulset", false);
      Value template = spec.get("template");
      PodRules.labels(template.get("metadata", "labels"), template.get("labels"));
      alwaysRestarts(template, "StatefulSet");
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
      dev.keelson.object.MapNode kept = spec.map();
      dev.keelson.object.MapNode was = old.get("spec").map();
      for (String field : MUTABLE) {
        Node value = was.get(field);
        kept = value == null ? kept.without(field) : kept.with(field, value);
      }
      if (!kept.equals(was)) {
        spec.forbidden(
            "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template',"
                + " 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and"
                + " 'minReadySeconds' are forbidden");
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
