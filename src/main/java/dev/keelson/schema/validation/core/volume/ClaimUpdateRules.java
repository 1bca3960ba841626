package dev.keelson.schema.validation.core.volume;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.InternalVersion;
import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.UnifiedDiff;
import dev.keelson.schema.validation.Value;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What may change in claims for storage and in volumes (source: the update rules of both). */
final class ClaimUpdateRules {
  private static final String CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
  private static final String CLASS = "storageClassName";
  private static final String ATTRIBUTES = "volumeAttributesClassName";
  private static final Map<String, String> GA_LABELS =
      Map.of(
          "failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone",
          "failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region",
          "beta.kubernetes.io/os", "kubernetes.io/os",
          "beta.kubernetes.io/arch", "kubernetes.io/arch",
          "beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type");
  private static final Set<String> RESIZE =
      Set.of(
          "ControllerResizeInProgress",
          "ControllerResizeInfeasible",
          "NodeResizePending",
          "NodeResizeInProgress",
          "NodeResizeInfeasible");

  private ClaimUpdateRules() {}

  static void validatePersistentVolumeClaimUpdate(Value object, Value old) {
    Value spec = object.get("spec");
    Value was = old.get("spec");
    MapNode now = spec.map();
    MapNode before = was.map();
    if (!was.get("volumeName").filled()) {
      before = before.replaced("volumeName", now.get("volumeName"));
    }
    now = withStorageClass(object, old, now);
    if (old.get("status", "phase").is("Bound")) {
      Node size = before.at("resources", "requests", "storage");
      if (size != null && spec.get("resources", "requests").present()) {
        now = now.withAt(List.of("resources", "requests", "storage"), size);
      }
      now = now.replaced(ATTRIBUTES, before.get(ATTRIBUTES));
    }
    if (!now.equals(before)) {
      spec.forbidden(
          "spec is immutable after creation except resources.requests and volumeAttributesClassName"
              + " for bound claims\n"
              + spec.difference(now, before));
    }
    Value size = spec.get("resources", "requests", "storage");
    Value capacity = old.get("status", "capacity", "storage");
    if (QuantityRules.greater(was.get("resources", "requests", "storage"), size)
        && capacity.present()
        && !QuantityRules.greater(size, capacity)) {
      size.forbidden("field can not be less than status.capacity");
    }
    if (!spec.get("volumeMode").sameAs(was.get("volumeMode"))) {
      object.get("volumeMode").holding(spec.get("volumeMode").node()).invalid("field is immutable");
    }
    boolean applied = old.get("status", "currentVolumeAttributesClassName").filled();
    validateVolumeAttributesClassUpdate(spec.get(ATTRIBUTES), was.get(ATTRIBUTES), applied);
  }

  /** The class may move from its annotation, or come once where there was none. */
  private static MapNode withStorageClass(Value object, Value old, MapNode now) {
    Value annotation = object.get("metadata", "annotations").key(CLASS_ANNOTATION);
    Value oldAnnotation = old.get("metadata", "annotations").key(CLASS_ANNOTATION);
    Value name = object.get("spec", CLASS);
    boolean was = old.get("spec", CLASS).present();
    boolean moves =
        oldAnnotation.present()
            && !was
            && name.present()
            && name.text().equals(oldAnnotation.text())
            && (annotation.absent() || annotation.sameAs(oldAnnotation));
    if (moves) {
      return now.without(CLASS);
    }
    if (!annotation.text().equals(oldAnnotation.text())) {
      object
          .get("metadata", "annotations", CLASS_ANNOTATION)
          .invalid(annotation.text(), "field is immutable");
    }
    boolean comes =
        !was
            && name.present()
            && (oldAnnotation.absent() || name.text().equals(oldAnnotation.text()));
    return comes ? now.without(CLASS) : now;
  }

  private static void validateVolumeAttributesClassUpdate(Value name, Value old, boolean applied) {
    if (name.sameAs(old) || old.absent() || !applied) {
      return;
    }
    if (name.absent()) {
      name.forbidden("update from non-nil value to nil is forbidden");
    } else if (!name.filled()) {
      name.forbidden("update from non-nil value to an empty string is forbidden");
    }
  }

  static void validatePersistentVolumeClaimStatus(Value object) {
    Value status = object.get("status");
    for (Value amount : status.get("capacity")) {
      quantity(amount);
    }
    // Kubernetes calls the field by a name of its own
    Value statuses = status.get("allocatedResourceStatus");
    for (Value each : status.get("allocatedResourceStatuses")) {
      resourceName(statuses, each.name());
      if (!RESIZE.contains(each.text())) {
        // Kubernetes shows the name of the resource, not its status
        statuses.unsupportedText(each.name(), RESIZE.toArray(String[]::new));
      }
    }
    Value allocated = status.get("allocatedResources");
    for (Value each : allocated) {
      if (resourceName(allocated, each.name())) {
        quantity(each);
      }
    }
  }

  private static boolean resourceName(Value shownAt, String name) {
    String problem = Formats.QUALIFIED_NAME.apply(name);
    if (!problem.isEmpty()) {
      shownAt.invalid(name, problem);
      return false;
    }
    if ((name.indexOf('/') < 0 || name.contains("kubernetes.io/")) && !name.equals("storage")) {
      shownAt.unsupportedText(name, "storage");
      return false;
    }
    return true;
  }

  static void quantity(Value amount) {
    java.math.BigDecimal number = QuantityRules.number(amount);
    if (number != null && number.signum() < 0) {
      amount.holding(new Node.Int(number.longValue())).invalid("must be a valid resource quantity");
    }
  }

  /** Where a volume's data are does not change. */
  static void validatePersistentVolumeUpdate(Value object, Value old, Set<String> others) {
    Value spec = object.get("spec");
    Value was = old.get("spec");
    MapNode source = withoutAll(spec.map(), others);
    MapNode oldSource = withoutAll(was.map(), others);
    boolean expandSecretComes =
        was.get("csi").present()
            && was.get("csi", "controllerExpandSecretRef").absent()
            && spec.get("csi", "controllerExpandSecretRef").present();
    if (expandSecretComes) {
      source = source.with("csi", source.map("csi").without("controllerExpandSecretRef"));
    }
    if (!source.equals(oldSource)) {
      spec.get("persistentvolumesource")
          .forbidden(
              "spec.persistentvolumesource is immutable after creation\n"
                  + UnifiedDiff.of(
                      InternalVersion.lines(oldSource, spec.struct(), others),
                      InternalVersion.lines(source, spec.struct(), others)));
    }
    if (!spec.get("volumeMode").sameAs(was.get("volumeMode"))) {
      object.get("volumeMode").holding(spec.get("volumeMode").node()).invalid("field is immutable");
    }
    Value affinity = was.get("nodeAffinity");
    if (affinity.present() && !isSameOrRenamed(affinity.node(), spec.get("nodeAffinity").node())) {
      spec.get("nodeAffinity")
          .invalidAt(
              object.get("nodeAffinity"),
              "field is immutable, except for updating from beta label to GA");
    }
    Value attributes = spec.get(ATTRIBUTES);
    if (was.get(ATTRIBUTES).present() && attributes.absent()) {
      attributes.forbidden("update from non-nil value to nil is forbidden");
    }
  }

  /** Whether {@code now} is {@code old}, but for labels that have got the names of today. */
  private static boolean isSameOrRenamed(@Nullable Node old, @Nullable Node now) {
    if (old instanceof MapNode before && now instanceof MapNode after) {
      boolean same = before.size() == after.size();
      for (int i = 0; same && i < before.size(); i++) {
        String field = before.keyAt(i);
        same =
            field.equals("key")
                ? isSameOrRenamed(before.text(field), after.text(field))
                : isSameOrRenamed(before.valueAt(i), after.get(field));
      }
      return same;
    }
    if (old instanceof Node.Items before && now instanceof Node.Items after) {
      boolean same = before.values().size() == after.values().size();
      for (int i = 0; same && i < before.values().size(); i++) {
        same = isSameOrRenamed(before.values().get(i), after.values().get(i));
      }
      return same;
    }
    return Objects.equals(old, now);
  }

  private static boolean isSameOrRenamed(String label, String now) {
    return now.equals(label) || now.equals(GA_LABELS.get(label));
  }

  private static MapNode withoutAll(MapNode map, Set<String> fields) {
    MapNode rest = map;
    for (String field : fields) {
      rest = rest.without(field);
    }
    return rest;
  }
}
