package dev.keelson.schema.defaulting;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/** What depends on other fields in autoscalers. */
final class AutoscalerRules {

  private static final String METRICS = "autoscaling.alpha.kubernetes.io/metrics";
  private static final long CPU_PERCENT = 80;
  private static final MapNode CPU =
      MapNode.of("type", Node.text("Resource"))
          .with(
              "resource",
              MapNode.of("name", Node.text("cpu"))
                  .with(
                      "target",
                      MapNode.of("type", Node.text("Utilization"))
                          .with("averageUtilization", new Node.Int(CPU_PERCENT))));

  private AutoscalerRules() {}

  /** Version 1 has its other metrics in an annotation. */
  static MapNode v1(MapNode root) {
    boolean others = root.map("metadata").map("annotations").has(METRICS);
    return others
        ? root
        : Values.edited(
            root,
            "spec",
            spec -> Values.ifUnset(spec, "targetCPUUtilizationPercentage", CPU_PERCENT));
  }

  static MapNode v2Spec(MapNode given) {
    MapNode spec =
        given.items("metrics").isEmpty()
            ? given.with("metrics", new Node.Items(List.of(CPU)))
            : given;
    return spec.get("behavior") instanceof MapNode behavior
        ? spec.with("behavior", behavior(behavior))
        : spec;
  }

  private static MapNode behavior(MapNode given) {
    MapNode up = Values.ifUnset(given.map("scaleUp"), "stabilizationWindowSeconds", 0);
    up = rules(up, List.of(policy("Pods", 4), policy("Percent", 100)));
    MapNode down = rules(given.map("scaleDown"), List.of(policy("Percent", 100)));
    return given.with("scaleUp", up).with("scaleDown", down);
  }

  private static MapNode rules(MapNode rules, List<Node> policies) {
    MapNode next = Values.ifUnset(rules, "selectPolicy", Node.text("Max"));
    return Values.ifUnset(next, "policies", new Node.Items(policies));
  }

  private static Node policy(String type, long value) {
    return MapNode.of("type", Node.text(type))
        .with("value", new Node.Int(value))
        .with("periodSeconds", new Node.Int(15));
  }
}
