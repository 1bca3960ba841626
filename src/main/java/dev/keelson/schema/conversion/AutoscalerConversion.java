package dev.keelson.schema.conversion;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Autoscalers of autoscaling/v1 and v2. The old version has one field for the share of the CPU to
 * aim at and one for the share that was measured; everything else about metrics, conditions and
 * behaviour it keeps as JSON in annotations, which are these fields of the new version and nothing
 * else: annotations of these names on a v2 object are dropped in the conversion to v1.
 */
final class AutoscalerConversion implements VersionConversion {

  private static final String METRICS = "autoscaling.alpha.kubernetes.io/metrics";
  private static final String CURRENT_METRICS = "autoscaling.alpha.kubernetes.io/current-metrics";
  private static final String CONDITIONS = "autoscaling.alpha.kubernetes.io/conditions";
  private static final String BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";

  private static final String TARGET_CPU = "targetCPUUtilizationPercentage";
  private static final String CURRENT_CPU = "currentCPUUtilizationPercentage";

  private static final GroupVersionKind NEW =
      new GroupVersionKind("autoscaling", "v2", "HorizontalPodAutoscaler");

  private final ObjectJson json;

  AutoscalerConversion(ObjectJson json) {
    this.json = json;
  }

  @Override
  public MapNode toNew(MapNode old) {
    MapNode spec = old.map("spec").without(TARGET_CPU);
    List<Node> metrics = metrics(old, METRICS, "spec", "metrics", MetricConversion.SPEC);
    Node targetCpu = Edits.set(old.map("spec"), TARGET_CPU);
    if (targetCpu != null) {
      setTarget(metrics, targetCpu);
    }
    if (!metrics.isEmpty()) {
      spec = spec.with("metrics", new Items(metrics));
    }
    Node behavior = annotated(old, BEHAVIOR, "spec", "behavior");
    if (behavior != null) {
      spec = spec.with("behavior", behavior);
    }
    MapNode root = withoutAnnotations(old).with("spec", spec);
    MapNode status = newStatus(old);
    return status.isEmpty() ? root : root.with("status", status);
  }

  private MapNode newStatus(MapNode old) {
    MapNode status = old.map("status").without(CURRENT_CPU);
    List<Node> metrics =
        metrics(old, CURRENT_METRICS, "status", "currentMetrics", MetricConversion.STATUS);
    Node currentCpu = Edits.set(old.map("status"), CURRENT_CPU);
    // the annotation knows more than the field
    if (metrics.isEmpty() && currentCpu != null) {
      metrics.add(MetricConversion.STATUS.ofCpuUtilization(currentCpu));
    }
    if (!metrics.isEmpty()) {
      status = status.with("currentMetrics", new Items(metrics));
    }
    Node conditions = annotated(old, CONDITIONS, "status", "conditions");
    return conditions == null ? status : status.with("conditions", conditions);
  }

  /** Puts the CPU target where the annotation had one, or behind the other metrics. */
  private static void setTarget(List<Node> metrics, Node percent) {
    for (int i = 0; i < metrics.size(); i++) {
      if (MetricConversion.SPEC.cpuUtilization(metrics.get(i)) != null) {
        MapNode metric = (MapNode) metrics.get(i);
        metrics.set(i, metric.withAt(List.of("resource", "target", "averageUtilization"), percent));
        return;
      }
    }
    metrics.add(MetricConversion.SPEC.ofCpuUtilization(percent));
  }

  @Override
  public MapNode toOld(MapNode current) {
    MapNode spec = current.map("spec");
    MapNode status = current.map("status");
    MapNode root =
        withoutAnnotations(current)
            .with("spec", oldSpec(spec.without("metrics").without("behavior"), spec));
    MapNode oldStatus = oldStatus(status.without("currentMetrics").without("conditions"), status);
    if (!oldStatus.isEmpty() || current.has("status")) {
      root = root.with("status", oldStatus);
    }
    root = annotate(root, METRICS, MetricConversion.SPEC, unspoken(spec.items("metrics")));
    List<Node> measured = status.items("currentMetrics");
    if (!told(measured)) {
      root = annotate(root, CURRENT_METRICS, MetricConversion.STATUS, measured);
    }
    if (!status.items("conditions").isEmpty()) {
      root =
          Edits.withAnnotation(root, CONDITIONS, json.write(new Items(status.items("conditions"))));
    }
    return spec.get("behavior") instanceof MapNode behavior
        ? Edits.withAnnotation(root, BEHAVIOR, json.write(behavior))
        : root;
  }

  private static MapNode oldSpec(MapNode rest, MapNode spec) {
    Node percent = first(MetricConversion.SPEC, spec.items("metrics"));
    return percent == null ? rest : rest.with(TARGET_CPU, percent);
  }

  private static MapNode oldStatus(MapNode rest, MapNode status) {
    Node percent = first(MetricConversion.STATUS, status.items("currentMetrics"));
    return percent == null ? rest : rest.with(CURRENT_CPU, percent);
  }

  private static @Nullable Node first(MetricConversion form, List<Node> metrics) {
    for (Node metric : metrics) {
      Node percent = form.cpuUtilization(metric);
      if (percent != null) {
        return percent;
      }
    }
    return null;
  }

  /** The metrics for the annotation: without the last one if the field alone says it all. */
  private static List<Node> unspoken(List<Node> metrics) {
    Node percent = first(MetricConversion.SPEC, metrics);
    if (percent == null) {
      return metrics;
    }
    List<Node> others = metrics.subList(0, metrics.size() - 1);
    return first(MetricConversion.SPEC, others) == null
            && metrics.getLast().equals(MetricConversion.SPEC.ofCpuUtilization(percent))
        ? others
        : metrics;
  }

  /** Whether the field says everything that was measured. */
  private static boolean told(List<Node> measured) {
    Node percent = first(MetricConversion.STATUS, measured);
    return percent != null
        && measured.size() == 1
        && measured.getFirst().equals(MetricConversion.STATUS.ofCpuUtilization(percent));
  }

  private MapNode annotate(MapNode root, String name, MetricConversion form, List<Node> metrics) {
    if (metrics.isEmpty()) {
      return root;
    }
    List<Node> flat = new ArrayList<>(metrics.size());
    for (Node metric : metrics) {
      flat.add(metric instanceof MapNode map ? form.flat(map) : metric);
    }
    return Edits.withAnnotation(root, name, json.write(new Items(flat)));
  }

  private static MapNode withoutAnnotations(MapNode root) {
    MapNode rest = Edits.withoutAnnotation(root, METRICS);
    rest = Edits.withoutAnnotation(rest, CURRENT_METRICS);
    rest = Edits.withoutAnnotation(rest, CONDITIONS);
    return Edits.withoutAnnotation(rest, BEHAVIOR);
  }

  private List<Node> metrics(
      MapNode old, String annotation, String part, String field, MetricConversion form) {
    List<Node> nested = new ArrayList<>();
    if (json.read(Edits.annotation(old, annotation)).orElse(null) instanceof Items items) {
      for (Node metric : items.values()) {
        nested.add(metric instanceof MapNode map ? form.nested(map) : metric);
      }
    }
    Node typed = nested.isEmpty() ? null : typed(part, field, new Items(nested));
    return typed instanceof Items items ? new ArrayList<>(items.values()) : new ArrayList<>();
  }

  private @Nullable Node annotated(MapNode old, String annotation, String part, String field) {
    Node value = json.read(Edits.annotation(old, annotation)).orElse(null);
    return value == null ? null : typed(part, field, value);
  }

  /**
   * The value as the new version's field has it; null if it does not fit. Annotations are untrusted
   * and must not make an object unreadable.
   */
  private @Nullable Node typed(String part, String field, Node value) {
    return json.typed(MapNode.of(part, MapNode.of(field, value)), NEW)
        .map(object -> object.map(part).get(field))
        .filter(found -> found != Node.Null.NULL)
        .orElse(null);
  }
}
