package dev.keelson.schema.conversion;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Text;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The two forms of an autoscaler's metric: the nested one of autoscaling/v2, and the flat one in
 * which autoscaling/v1 keeps metrics in annotations. An element of either is an object with a type
 * and one source, under the key that names the source.
 */
enum MetricConversion {
  /** What is aimed at. */
  SPEC("target"),
  /** What was measured. */
  STATUS("current");

  private static final List<String> SOURCES =
      List.of("object", "pods", "resource", "containerResource", "external");

  /** The key of the nested value, with which the names of the flat ones begin. */
  private final String nested;

  MetricConversion(String nested) {
    this.nested = nested;
  }

  /** A field in the flat form and its way in the nested one. */
  private record Move(String flat, List<String> way) {
    Move(String flat, String... way) {
      this(flat, List.of(way));
    }
  }

  private List<Move> moves(String source) {
    return switch (source) {
      case "object" ->
          List.of(
              new Move("target", "describedObject"),
              new Move("metricName", "metric", "name"),
              new Move("selector", "metric", "selector"),
              new Move(nested + "Value", nested, "value"),
              new Move("averageValue", nested, "averageValue"));
      case "pods" ->
          List.of(
              new Move("metricName", "metric", "name"),
              new Move("selector", "metric", "selector"),
              new Move(nested + "AverageValue", nested, "averageValue"));
      case "external" ->
          List.of(
              new Move("metricName", "metric", "name"),
              new Move("metricSelector", "metric", "selector"),
              new Move(nested + "Value", nested, "value"),
              new Move(nested + "AverageValue", nested, "averageValue"));
      default ->
          List.of(
              new Move("name", "name"),
              new Move("container", "container"),
              new Move(nested + "AverageUtilization", nested, "averageUtilization"),
              new Move(nested + "AverageValue", nested, "averageValue"));
    };
  }

  /** The flat form of a nested metric if the conversion is reversible, else the metric itself. */
  MapNode flat(MapNode metric) {
    MapNode flat = metric;
    for (String source : SOURCES) {
      if (metric.get(source) instanceof MapNode inner) {
        flat = flat.with(source, flatSource(source, inner));
      }
    }
    return nested(flat).equals(metric) ? flat : metric;
  }

  private MapNode flatSource(String source, MapNode inner) {
    MapNode flat = MapNode.EMPTY;
    for (Move move : moves(source)) {
      Node value = inner.at(move.way.toArray(String[]::new));
      flat = value == null ? flat : flat.with(move.flat, value);
    }
    return flat;
  }

  /** The nested form of a metric in either form. */
  MapNode nested(MapNode metric) {
    MapNode result = metric;
    for (String source : SOURCES) {
      if (metric.get(source) instanceof MapNode inner && !isNested(source, inner)) {
        result = result.with(source, nestedSource(source, inner));
      }
    }
    return result;
  }

  private boolean isNested(String source, MapNode inner) {
    // the flat form of an object has a target too, the object itself
    return inner.has("metric") || (!source.equals("object") && inner.has(nested));
  }

  private MapNode nestedSource(String source, MapNode inner) {
    MapNode result = MapNode.EMPTY;
    for (Move move : moves(source)) {
      Node value = inner.get(move.flat);
      result = value == null ? result : result.withAt(move.way, value);
    }
    return this == SPEC
        ? result.withAt(List.of(nested, "type"), new Text(targetType(source, result.map(nested))))
        : result;
  }

  private static String targetType(String source, MapNode target) {
    if (target.has("averageUtilization")) {
      return "Utilization";
    }
    boolean whole = source.equals("object") || source.equals("external");
    return whole && !target.has("averageValue") ? "Value" : "AverageValue";
  }

  /** The CPU utilization of a nested metric; null if it has none. */
  @Nullable Node cpuUtilization(Node metric) {
    return metric instanceof MapNode map
            && map.text("type").equals("Resource")
            && map.map("resource").text("name").equals("cpu")
        ? map.at("resource", nested, "averageUtilization")
        : null;
  }

  /** The nested metric of a CPU utilization. */
  MapNode ofCpuUtilization(Node percent) {
    MapNode value = MapNode.of("averageUtilization", percent);
    return MapNode.of("type", new Text("Resource"))
        .with(
            "resource",
            MapNode.of("name", new Text("cpu"))
                .with(nested, this == SPEC ? value.with("type", new Text("Utilization")) : value));
  }
}
