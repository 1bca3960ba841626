package dev.keelson.schema.validation.apps;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.Causes;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.DeclaredRules;
import dev.keelson.schema.validation.IntOrStrings;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.VolumeWarnings;
import dev.keelson.schema.validation.core.ReplicaRules;
import dev.keelson.schema.validation.core.pod.PodRules;
import dev.keelson.schema.validation.core.pod.WorkloadRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The claims of a stateful set are volumes of its pods. Objects that were stored with an invalid
 * pod template, before templates were validated, can be updated.
 */
final class StatefulSetRules implements WorkloadRules {
  private static final DeclaredRules DECLARED_RULES = new DeclaredRules();
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
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validateCreate(Value object) {
    Value spec = object.get("spec");
    beforeSelector(spec);
    spec.get("serviceName").dnsLabel();
    pods(object, /* checked= */ true);
  }

  private static void beforeSelector(Value spec) {
    Value policy = spec.get("podManagementPolicy");
    if (policy.filled() && !policy.is("OrderedReady") && !policy.is("Parallel")) {
      policy.invalid("must be 'OrderedReady' or 'Parallel'");
    }
    strategy(spec.get("updateStrategy"));
    Value retention = spec.get("persistentVolumeClaimRetentionPolicy");
    for (String when : new String[] {"whenDeleted", "whenScaled"}) {
      Value kept = retention.get(when);
      if (kept.filled() && !kept.is("Retain") && !kept.is("Delete")) {
        kept.unsupportedInOrder("Retain", "Delete");
      }
    }
    spec.get("replicas").nonNegative();
    spec.get("minReadySeconds").nonNegative();
    spec.get("ordinals", "start").nonNegative();
  }

  /** Validates the selector and the pod template, of which all is {@code checked} or little. */
  private static void pods(Value object, boolean checked) {
    Value spec = object.get("spec");
    Value template = spec.get("template");
    if (SelectorRules.validateSelector(spec, "statefulset", "")) {
      if (checked) {
        templateWithClaims(object);
      } else {
        PodRules.validateTemplateLabels(template.get("metadata", "labels"), template.get("labels"));
      }
    }
    ReplicaRules.validateAlwaysRestarts(template, "StatefulSet");
  }

  /** Validates the pod template with the volumes that the claims add to each pod. */
  private static void templateWithClaims(Value object) {
    Value template = object.get("spec", "template");
    MapNode pod = template.map().map("spec");
    List<Node> volumes = new ArrayList<>(pod.items("volumes"));
    Set<String> names = new HashSet<>();
    pod.maps("volumes").forEach(volume -> names.add(volume.text("name")));
    for (Value claim : object.get("spec", "volumeClaimTemplates")) {
      String name = claim.get("metadata", "name").text();
      if (names.add(name)) {
        volumes.add(
            MapNode.of("name", Node.text(name))
                .with("persistentVolumeClaim", MapNode.of("claimName", Node.text("of-" + name))));
      }
    }
    if (!volumes.isEmpty()) {
      pod = pod.with("volumes", new Node.Items(volumes));
    }
    Value withClaims = template.holding(template.map().with("spec", pod));
    DECLARED_RULES.check(withClaims, withClaims.struct());
    PodRules.validatePodTemplateSpec(withClaims);
  }

  private static boolean hasValidTemplate(Value object) {
    Causes causes = new Causes();
    templateWithClaims(Value.root(object.map(), causes, object.struct()));
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
        rolling.get("partition").nonNegative();
        Value unavailable = rolling.get("maxUnavailable");
        IntOrStrings.validateNonNegativeIntOrPercent(unavailable);
        if (IntOrStrings.isZero(unavailable)) {
          unavailable.invalid("cannot be 0");
        }
        IntOrStrings.validateNotMoreThan100Percent(unavailable);
      }
      default -> strategy.invalid("must be 'RollingUpdate' or 'OnDelete'");
    }
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    Value spec = object.get("spec");
    beforeSelector(spec);
    pods(
        object, !spec.get("template").sameAs(old.get("spec", "template")) && hasValidTemplate(old));
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
  public void validateStatusUpdate(Value object, Value old) {
    Value status = object.get("status");
    ReplicaRules.validateNonNegative(
        status,
        "replicas",
        "readyReplicas",
        "currentReplicas",
        "updatedReplicas",
        "availableReplicas",
        "observedGeneration",
        "collisionCount");
    ReplicaRules.validateAtMost(
        status,
        "replicas",
        "readyReplicas",
        "currentReplicas",
        "updatedReplicas",
        "availableReplicas");
    ReplicaRules.validateAvailable(status, "status.readyReplicas");
    ReplicaRules.validateNotDecremented(
        status.get("collisionCount"), old.get("status", "collisionCount"));
  }

  @Override
  public void warnOnCreate(Value object, Consumer<String> warnings) {
    warnAboutPods(object, warnings);
    for (Value claim : object.get("spec", "volumeClaimTemplates")) {
      VolumeWarnings.warnAboutClaim(claim, claim.get("spec"), warnings);
    }
    warnAboutHistory(object, warnings);
  }

  @Override
  public void warnOnUpdate(Value object, Value old, Consumer<String> warnings) {
    WorkloadRules.super.warnOnUpdate(object, old, warnings);
    for (Value claim : object.get("spec", "volumeClaimTemplates")) {
      VolumeWarnings.warnAboutClaim(claim.get("Spec"), claim.get("spec"), warnings);
    }
    warnAboutHistory(object, warnings);
  }

  private static void warnAboutHistory(Value object, Consumer<String> warnings) {
    if (object.get("spec", "revisionHistoryLimit").number() < 0) {
      warnings.accept(
          "spec.revisionHistoryLimit: a negative value retains all historical revisions; a value"
              + " >= 0 is recommended");
    }
  }
}
