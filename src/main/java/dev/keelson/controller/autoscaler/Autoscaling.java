package dev.keelson.controller.autoscaler;

import dev.keelson.api.ApiException;
import dev.keelson.api.LabelSelector;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.autoscaler.MetricEvaluation.Failure;
import dev.keelson.controller.autoscaler.MetricEvaluation.Result;
import dev.keelson.controller.autoscaler.ReplicaLimits.Decision;
import dev.keelson.controller.autoscaler.ScaleTarget.Scale;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.workload.Numbers;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One look at one autoscaler: reads the scale and the metrics, sets the replicas, and says in the
 * status what it has done (source: Kubernetes' {@code reconcileAutoscaler}). Confined to one
 * worker.
 */
final class Autoscaling {

  private final ApiObject autoscaler;
  private final MapNode spec;
  private final String namespace;
  private final ScalingHistory history;
  private final Surroundings around;
  private final AutoscalerSettings settings;
  private final Instant now;
  private final AutoscalerStatus status;

  /** What an autoscaler sees and does. Every method that reads throws an {@link ApiException}. */
  interface Surroundings {

    Scale scale(String namespace, MapNode target) throws InterruptedException;

    void rescale(Scale scale, int replicas) throws InterruptedException;

    /** The pods of a selector, as text. */
    List<AutoscaledPod> pods(String namespace, String selector) throws InterruptedException;

    MetricReadings metrics();

    /**
     * Remembers the selector of an autoscaler and returns all that select one of some pods, in
     * their order.
     */
    List<ObjectName> selecting(ObjectName name, LabelSelector selector, List<AutoscaledPod> pods);

    void event(Type type, String reason, String message);
  }

  /** The number that the metrics ask for, and what they are. */
  private record Wanted(int replicas, String metric, List<MapNode> statuses) {}

  /** The metrics give no number; the conditions say why. */
  private static final class NoNumber extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable List<MapNode> statuses;

    NoNumber(String message, @Nullable List<MapNode> statuses) {
      super(message);
      this.statuses = statuses;
    }
  }

  Autoscaling(
      ApiObject autoscaler,
      ScalingHistory history,
      Surroundings around,
      AutoscalerSettings settings,
      Instant now) {
    this.autoscaler = autoscaler;
    this.spec = autoscaler.root().map("spec");
    this.namespace = autoscaler.meta().namespace();
    this.history = history;
    this.around = around;
    this.settings = settings;
    this.now = now;
    this.status = new AutoscalerStatus(autoscaler.root().map("status"), now);
  }

  /** Does it and returns the status. */
  MapNode look() throws InterruptedException {
    Scale scale;
    try {
      scale = around.scale(namespace, spec.map("scaleTargetRef"));
    } catch (ApiException e) {
      around.event(Type.WARNING, "FailedGetScale", e.text());
      status.set(
          AutoscalerStatus.ABLE,
          false,
          "FailedGetScale",
          "the HPA controller was unable to get the target's current scale: " + e.text());
      return status.node();
    }
    status.set(
        AutoscalerStatus.ABLE,
        true,
        "SucceededGetScale",
        "the HPA controller was able to get the target's current scale");
    int current = scale.wanted();
    history.begin(current);
    int min = Numbers.of(spec, "minReplicas", 1);
    int max = Numbers.of(spec, "maxReplicas", 1);
    boolean atZero = atZero();
    if (current == 0 && !(atZero && (min != 0 || scalesToZero()))) {
      status.set(
          AutoscalerStatus.ACTIVE,
          false,
          "ScalingDisabled",
          "scaling is disabled since the replica count of the target is zero");
      status.report(current, current, null, /* rescaled= */ false);
    } else if (current > max) {
      rescale(scale, max, "Current number of replicas above Spec.MaxReplicas", null);
    } else if (current < min && current != 0) {
      rescale(scale, min, "Current number of replicas below Spec.MinReplicas", null);
    } else {
      byMetrics(scale, new ReplicaLimits(min, max));
    }
    return status.node();
  }

  /**
   * Whether this autoscaler, and nobody else, has removed the last pod (KEP 2021): only then it
   * adds one.
   */
  private boolean atZero() {
    if (!settings.scaleToZero()) {
      status.remove(AutoscalerStatus.AT_ZERO);
      return false;
    }
    return status.holds(AutoscalerStatus.AT_ZERO);
  }

  /** Whether a metric has a value without pods. */
  private boolean scalesToZero() {
    return spec.maps("metrics").stream()
        .map(metric -> metric.text("type"))
        .anyMatch(type -> type.equals("Object") || type.equals("External"));
  }

  private void byMetrics(Scale scale, ReplicaLimits limits) throws InterruptedException {
    int current = scale.wanted();
    Wanted wanted;
    try {
      wanted = wanted(scale);
    } catch (NoNumber e) {
      status.report(current, status.desired(), e.statuses, /* rescaled= */ false);
      String message = e.getMessage();
      around.event(Type.WARNING, "FailedComputeMetricsReplicas", message == null ? "" : message);
      return;
    }
    MapNode behavior = spec.map("behavior");
    Decision decision =
        behavior.isEmpty()
            ? limits.decide(current, wanted.replicas(), history, settings.stabilization())
            : limits.decide(
                current, wanted.replicas(), history, settings.stabilization(), behavior);
    status.set(AutoscalerStatus.ABLE, true, decision.able().reason(), decision.able().message());
    status.set(
        AutoscalerStatus.LIMITED,
        decision.cut(),
        decision.limited().reason(),
        decision.limited().message());
    // the minimum may have been raised while there was no pod
    int replicas = current == 0 ? Math.max(decision.replicas(), limits.min()) : decision.replicas();
    if (replicas == current) {
      status.report(current, current, wanted.statuses(), /* rescaled= */ false);
      return;
    }
    String reason =
        wanted.replicas() > current
            ? wanted.metric() + " above target"
            : wanted.replicas() < current
                ? "All metrics below target"
                : current == 0 ? "Current number of replicas below Spec.MinReplicas" : "";
    rescale(scale, replicas, reason, wanted.statuses());
  }

  private void rescale(Scale scale, int replicas, String reason, @Nullable List<MapNode> statuses)
      throws InterruptedException {
    int current = scale.wanted();
    try {
      around.rescale(scale, replicas);
    } catch (ApiException e) {
      around.event(
          Type.WARNING,
          "FailedRescale",
          "New size: %d; reason: %s; error: %s".formatted(replicas, reason, e.text()));
      status.set(
          AutoscalerStatus.ABLE,
          false,
          "FailedUpdateScale",
          "the HPA controller was unable to update the target scale: " + e.text());
      status.report(current, status.desired(), statuses, /* rescaled= */ false);
      return;
    }
    status.set(
        AutoscalerStatus.ABLE,
        true,
        "SucceededRescale",
        "the HPA controller was able to update the target scale to " + replicas);
    if (settings.scaleToZero()) {
      boolean toZero = current > 0 && replicas == 0 && scalesToZero();
      status.set(
          AutoscalerStatus.AT_ZERO,
          toZero,
          toZero ? "ScaledToZero" : "NotScaledToZero",
          toZero
              ? "the HPA controller scaled the workload to zero"
              : "the HPA controller did not scale the workload to zero");
    }
    around.event(
        Type.NORMAL, "SuccessfulRescale", "New size: %d; reason: %s".formatted(replicas, reason));
    MapNode behavior = spec.map("behavior");
    if (!behavior.isEmpty()) {
      history.scaled(
          current,
          replicas,
          ScalingRules.of(behavior.map("scaleUp")).longestPeriod(),
          ScalingRules.of(behavior.map("scaleDown")).longestPeriod());
    }
    status.report(current, replicas, statuses, /* rescaled= */ true);
  }

  /** The highest number that a metric asks for. */
  private Wanted wanted(Scale scale) throws NoNumber, InterruptedException {
    List<AutoscaledPod> pods = podsOf(scale);
    ReplicaCalculator calculator =
        new ReplicaCalculator(
            pods, Tolerances.of(spec.map("behavior"), settings.tolerance()), settings, now);
    MetricEvaluation evaluation =
        new MetricEvaluation(
            around.metrics(),
            calculator,
            namespace,
            scale.selector(),
            scale.wanted(),
            scale.actual());
    List<MapNode> metrics = spec.maps("metrics");
    List<MapNode> statuses = new ArrayList<>();
    Result highest = null;
    Failure first = null;
    int failed = 0;
    for (MapNode metric : metrics) {
      try {
        Result result = evaluation.evaluate(metric);
        statuses.add(result.status());
        if (highest == null || result.replicas() > highest.replicas()) {
          highest = result;
        }
      } catch (Failure e) {
        around.event(Type.WARNING, e.reason(), e.problem());
        statuses.add(MetricEvaluation.failed());
        first = first == null ? e : first;
        failed++;
      }
    }
    // what is not known may need more pods than the others
    boolean unsure = failed > 0 && highest != null && highest.replicas() < scale.wanted();
    if (highest == null || unsure) {
      throw noNumber(first, failed, metrics.size(), statuses);
    }
    status.set(
        AutoscalerStatus.ACTIVE,
        true,
        "ValidMetricFound",
        "the HPA was able to successfully calculate a replica count from " + highest.name());
    return new Wanted(highest.replicas(), highest.name(), statuses);
  }

  private NoNumber noNumber(@Nullable Failure first, int failed, int all, List<MapNode> statuses) {
    if (first == null) {
      return new NoNumber("no metrics", statuses);
    }
    status.set(
        AutoscalerStatus.ACTIVE,
        false,
        first.reason(),
        "the HPA was unable to compute the replica count: " + first.problem());
    return new NoNumber(
        "invalid metrics (%d invalid out of %d), first error is: %s"
            .formatted(failed, all, first.text()),
        statuses);
  }

  private List<AutoscaledPod> podsOf(Scale scale) throws NoNumber, InterruptedException {
    String text = scale.selector();
    if (text.isEmpty()) {
      around.event(Type.WARNING, "SelectorRequired", "selector is required");
      throw inactive(
          "InvalidSelector",
          "the HPA target's scale is missing a selector",
          "selector is required");
    }
    LabelSelector selector;
    try {
      selector = LabelSelector.parse(text);
    } catch (ApiException e) {
      String message =
          "couldn't convert selector into a corresponding internal selector object: " + e.text();
      around.event(Type.WARNING, "InvalidSelector", message);
      throw inactive("InvalidSelector", message, message);
    }
    List<AutoscaledPod> pods;
    try {
      pods = around.pods(namespace, text);
    } catch (ApiException e) {
      throw new NoNumber(e.text(), null);
    }
    List<ObjectName> others = around.selecting(ObjectName.of(autoscaler.meta()), selector, pods);
    if (others.size() > 1) {
      String message =
          "pods by selector %s are controlled by multiple HPAs: [%s]"
              .formatted(
                  text, String.join(" ", others.stream().map(ObjectName::toString).toList()));
      around.event(Type.WARNING, "AmbiguousSelector", message);
      throw inactive("AmbiguousSelector", message, message);
    }
    return pods;
  }

  private NoNumber inactive(String reason, String message, String problem) {
    status.set(AutoscalerStatus.ACTIVE, false, reason, message);
    return new NoNumber(problem, null);
  }
}
