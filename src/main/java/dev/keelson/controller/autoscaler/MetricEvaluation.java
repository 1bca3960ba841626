package dev.keelson.controller.autoscaler;

import dev.keelson.api.GroupVersion;
import dev.keelson.controller.autoscaler.MetricReadings.Described;
import dev.keelson.controller.autoscaler.MetricReadings.Sample;
import dev.keelson.controller.autoscaler.ReplicaCalculator.Proposal;
import dev.keelson.controller.workload.SelectorText;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.Map;

/**
 * What one metric of an autoscaler asks for, and its part of the status (source: Kubernetes' {@code
 * podautoscaler/horizontal.go}).
 *
 * @param selector of the pods, as text
 * @param wanted the replicas of the spec of the scale
 * @param actual the replicas of its status
 */
record MetricEvaluation(
    MetricReadings readings,
    ReplicaCalculator calculator,
    String namespace,
    String selector,
    int wanted,
    int actual) {

  /**
   * The result.
   *
   * @param name of the metric in messages
   */
  record Result(int replicas, String name, MapNode status) {}

  /** A metric has failed: the reason of the condition, and what is said further out. */
  static final class Failure extends Exception {

    private static final long serialVersionUID = 1L;

    private final String reason;
    private final String problem;

    Failure(String reason, String outer, String problem) {
      super(outer + problem);
      this.reason = reason;
      this.problem = problem;
    }

    String reason() {
      return reason;
    }

    /** What went wrong, for the condition and the Event. */
    String problem() {
      return problem;
    }

    /** The same with the metric. */
    String text() {
      String message = getMessage();
      return message == null ? problem : message;
    }
  }

  /** Evaluates an element of {@code spec.metrics}. */
  Result evaluate(MapNode metric) throws Failure, InterruptedException {
    String type = metric.text("type");
    return switch (type) {
      case "Object" -> object(metric.map("object"));
      case "Pods" -> pods(metric.map("pods"));
      case "Resource" -> resource(metric.map("resource"));
      case "ContainerResource" -> container(metric.map("containerResource"));
      case "External" -> external(metric.map("external"));
      default ->
          throw new Failure(
              "InvalidMetricSourceType", "", "unknown metric source type \"" + type + "\"");
    };
  }

  private Result resource(MapNode source) throws Failure, InterruptedException {
    String name = source.text("name");
    try {
      Usage usage = usage(name, "", source.map("target"), "resource");
      MapNode status = MapNode.of("name", Node.text(name)).with("current", usage.current());
      return result("Resource", "resource", status, usage.replicas(), usage.name());
    } catch (MetricException e) {
      throw new Failure(
          "FailedGetResourceMetric",
          "failed to get " + name + " resource metric value: ",
          e.text());
    }
  }

  private Result container(MapNode source) throws Failure, InterruptedException {
    String name = source.text("name");
    String container = source.text("container");
    try {
      Usage usage = usage(name, container, source.map("target"), "container resource");
      MapNode status =
          MapNode.of("name", Node.text(name))
              .with("container", Node.text(container))
              .with("current", usage.current());
      return result(
          "ContainerResource", "containerResource", status, usage.replicas(), usage.name());
    } catch (MetricException e) {
      throw new Failure(
          "FailedGetContainerResourceMetric",
          "failed to get " + container + " container metric value: ",
          e.text());
    }
  }

  private record Usage(int replicas, MapNode current, String name) {}

  private Usage usage(String resource, String container, MapNode target, String word)
      throws InterruptedException {
    Long average = Millis.of(target.get("averageValue"));
    if (average != null) {
      try {
        Proposal proposal =
            calculator.average(wanted, samples(resource, container), resource, average);
        return new Usage(
            proposal.replicas(),
            MapNode.of("averageValue", quantity(resource, proposal.usage())),
            resource + " resource");
      } catch (MetricException e) {
        throw new MetricException("failed to get " + resource + " usage", e);
      }
    }
    if (!(target.get("averageUtilization") instanceof Node.Int percent)) {
      throw new MetricException(
          "invalid resource metric source: neither an average utilization target nor an average"
              + " value (usage) target was set");
    }
    try {
      Proposal proposal =
          calculator.utilization(
              wanted,
              samples(resource, container),
              resource,
              container,
              Math.clamp(percent.value(), 1, Integer.MAX_VALUE));
      return new Usage(
          proposal.replicas(),
          MapNode.of("averageUtilization", new Node.Int(proposal.utilization()))
              .with("averageValue", quantity(resource, proposal.usage())),
          resource + " " + word + " utilization (percentage of request)");
    } catch (MetricException e) {
      throw new MetricException("failed to get " + resource + " utilization", e);
    }
  }

  private Map<String, Sample> samples(String resource, String container)
      throws InterruptedException {
    try {
      return readings.resource(resource, namespace, selector, container);
    } catch (MetricException e) {
      throw new MetricException("unable to get metrics for resource " + resource, e);
    }
  }

  private static Node quantity(String resource, long millis) {
    return resource.equals("memory") ? Millis.binary(millis) : Millis.decimal(millis);
  }

  private Result pods(MapNode source) throws Failure, InterruptedException {
    MapNode metric = source.map("metric");
    String name = metric.text("name");
    Long target = Millis.of(source.map("target").get("averageValue"));
    try {
      Map<String, Sample> samples;
      try {
        samples = readings.pods(name, namespace, selector, labels(metric));
      } catch (MetricException e) {
        throw new MetricException("unable to get metric " + name, e);
      }
      Proposal proposal = calculator.average(wanted, samples, "", target == null ? 1 : target);
      MapNode status =
          MapNode.of("metric", metric)
              .with("current", MapNode.of("averageValue", Millis.decimal(proposal.usage())));
      return result("Pods", "pods", status, proposal.replicas(), "pods metric " + name);
    } catch (MetricException e) {
      throw new Failure("FailedGetPodsMetric", "failed to get pods metric value: ", e.text());
    }
  }

  private Result object(MapNode source) throws Failure, InterruptedException {
    MapNode metric = source.map("metric");
    String name = metric.text("name");
    MapNode reference = source.map("describedObject");
    MapNode target = source.map("target");
    Described object =
        new Described(
            GroupVersion.parse(reference.text("apiVersion")),
            reference.text("kind"),
            reference.text("name"));
    String outer = "failed to get object metric value: ";
    Long value = target.text("type").equals("Value") ? Millis.of(target.get("value")) : null;
    Long average =
        target.text("type").equals("AverageValue") ? Millis.of(target.get("averageValue")) : null;
    if (value == null && average == null) {
      throw new Failure(
          "FailedGetObjectMetric",
          outer,
          "invalid object metric source: neither a value target nor an average value target was"
              + " set");
    }
    try {
      long usage = usage(name, object, labels(metric));
      Proposal proposal =
          value == null
              ? calculator.share(actual, usage, average == null ? 1 : average)
              : calculator.value(wanted, usage, value);
      MapNode status =
          MapNode.of("metric", metric)
              .with("current", current(value != null, proposal.usage()))
              .with("describedObject", reference);
      String about =
          value == null
              ? "external metric " + name + "(" + selectorText(metric) + ")"
              : object.kind() + " metric " + name;
      return result("Object", "object", status, proposal.replicas(), about);
    } catch (MetricException e) {
      String inner = value == null ? "failed to get " + name + " object metric: " : "";
      throw new Failure("FailedGetObjectMetric", outer + inner, e.text());
    }
  }

  private long usage(String metric, Described object, String labels) throws InterruptedException {
    try {
      return readings.object(metric, namespace, object, labels);
    } catch (MetricException e) {
      throw new MetricException(
          "unable to get metric %s on %s %s/%s"
              .formatted(metric, object.kind(), namespace, object.name()),
          e);
    }
  }

  private Result external(MapNode source) throws Failure, InterruptedException {
    MapNode metric = source.map("metric");
    String name = metric.text("name");
    MapNode target = source.map("target");
    String outer = "failed to get " + name + " external metric value: ";
    Long average = Millis.of(target.get("averageValue"));
    Long value = Millis.of(target.get("value"));
    if (value == null && average == null) {
      throw new Failure(
          "FailedGetExternalMetric",
          outer,
          "invalid external metric source: neither a value target nor an average value target was"
              + " set");
    }
    try {
      long usage = usage(name, metric);
      Proposal proposal =
          average == null
              ? calculator.value(wanted, usage, value == null ? 1 : value)
              : calculator.share(actual, usage, average);
      MapNode status =
          MapNode.of("metric", metric).with("current", current(average == null, proposal.usage()));
      return result(
          "External",
          "external",
          status,
          proposal.replicas(),
          "external metric " + name + "(" + selectorText(metric) + ")");
    } catch (MetricException e) {
      String inner =
          average == null
              ? "failed to get external metric " + name + ": "
              : "failed to get " + name + " external metric: ";
      throw new Failure("FailedGetExternalMetric", outer + inner, e.text());
    }
  }

  private long usage(String name, MapNode metric) throws InterruptedException {
    try {
      long sum = 0;
      for (long value : readings.external(name, namespace, labels(metric))) {
        sum = Millis.sum(sum, value);
      }
      return sum;
    } catch (MetricException e) {
      throw new MetricException(
          "unable to get external metric %s/%s/%s".formatted(namespace, name, selectorText(metric)),
          e);
    }
  }

  private static MapNode current(boolean whole, long usage) {
    return MapNode.of(whole ? "value" : "averageValue", Millis.decimal(usage));
  }

  private static Result result(
      String type, String field, MapNode status, int replicas, String name) {
    return new Result(replicas, name, MapNode.of("type", Node.text(type)).with(field, status));
  }

  /** As Go prints the selector of a metric. */
  private static String selectorText(MapNode metric) {
    return metric.get("selector") instanceof MapNode given ? SelectorText.of(given) : "nil";
  }

  /** The selector of a metric as a query has it; empty for all. */
  private static String labels(MapNode metric) {
    return SelectorText.query(metric.map("selector"));
  }

  /** An element of the status for a metric that has failed. */
  static MapNode failed() {
    return MapNode.of("type", Node.text(""));
  }
}
