package dev.keelson.controller.autoscaler;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.autoscaler.Autoscaling.Surroundings;
import dev.keelson.controller.autoscaler.ScaleTarget.Scale;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * Looks at each HorizontalPodAutoscaler when its spec changes and at an interval (source:
 * Kubernetes' {@code pkg/controller/podautoscaler}). Pods are read when an autoscaler is looked at,
 * so that nothing is kept of them.
 */
public final class AutoscalerController implements Controller {

  /** The name of the service account. */
  public static final String NAME = "horizontal-pod-autoscaler";

  private static final Logger LOG = Logger.getLogger(AutoscalerController.class);
  private static final GroupVersionResource RESOURCE =
      new GroupVersion("autoscaling", "v2").resource("horizontalpodautoscalers");
  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");

  /** Of autoscalers the spec, since a change of it is looked at at once. */
  private static final InformerType<MapNode> SPECS =
      new InformerType<>(RESOURCE, autoscaler -> autoscaler.root().map("spec"), List.of());

  private final ApiClient client;
  private final AutoscalerSettings settings;
  private final InstantSource clock;
  private final EventRecorder events;
  private final ScaleTarget targets;
  private final MetricsClient metrics;
  private final Informer<MapNode> autoscalers;
  private final WorkQueue<ObjectName> queue;
  private final ControllerLoop workers;
  private final Map<ObjectName, ScalingHistory> histories = new ConcurrentHashMap<>();
  private final Map<ObjectName, LabelSelector> selectors = new ConcurrentHashMap<>();

  /** A controller that has not started. */
  public AutoscalerController(ControllerContext context, AutoscalerSettings settings) {
    this.client = context.client(NAME);
    this.settings = settings;
    this.clock = context.clock();
    this.events = new EventRecorder(client, NAME, clock, context.nanos());
    this.targets = new ScaleTarget(client);
    this.metrics = new MetricsClient(client, targets);
    this.autoscalers = context.informers().of(SPECS);
    this.queue = new WorkQueue<>("horizontalpodautoscaler", settings.period(), settings.period());
    this.workers =
        ControllerLoop.workers(
            "horizontal-pod-autoscaler", settings.workers(), queue, this::reconcile);
  }

  @Override
  public void start() throws InterruptedException {
    events.start();
    autoscalers.listen(new Changes());
    autoscalers.awaitSync();
    workers.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    workers.close();
    events.close();
  }

  private Outcome reconcile(ObjectName name) throws InterruptedException {
    ApiObject autoscaler = client.get(RESOURCE, name.namespace(), name.name()).orElse(null);
    if (autoscaler == null || autoscalers.get(name).isEmpty()) {
      return Outcome.DONE;
    }
    queue.addAfter(name, settings.period());
    ScalingHistory history = histories.computeIfAbsent(name, _ -> new ScalingHistory(clock));
    MapNode status =
        new Autoscaling(autoscaler, history, new Cluster(autoscaler), settings, clock.instant())
            .look();
    write(autoscaler, status);
    return Outcome.DONE;
  }

  private void write(ApiObject autoscaler, MapNode status) throws InterruptedException {
    if (status.equals(told(autoscaler.root().map("status")))) {
      return;
    }
    try {
      Written unused = client.updateStatus(RESOURCE, autoscaler.with("status", status));
    } catch (ApiException e) {
      if (e.reason() == Reason.NOT_FOUND) {
        return;
      }
      event(autoscaler, Type.WARNING, "FailedUpdateStatus", e.text());
      LOG.warnf(
          "event=autoscaler-status-not-written autoscaler=%s error=%s",
          ObjectName.of(autoscaler.meta()), e.text());
    }
  }

  /** A status without metrics has them as null. */
  private static MapNode told(MapNode status) {
    return status.get("currentMetrics") == Node.Null.NULL
        ? status.without("currentMetrics")
        : status;
  }

  private void event(ApiObject autoscaler, Type type, String reason, String message) {
    events.record(
        new ObjectReference(
            RESOURCE.apiVersion(),
            "HorizontalPodAutoscaler",
            autoscaler.meta().namespace(),
            autoscaler.meta().name(),
            autoscaler.meta().uid(),
            "",
            ""),
        type,
        reason,
        message);
  }

  private final class Cluster implements Surroundings {

    private final ApiObject autoscaler;

    Cluster(ApiObject autoscaler) {
      this.autoscaler = autoscaler;
    }

    @Override
    public Scale scale(String namespace, MapNode target) throws InterruptedException {
      return targets.scale(namespace, target);
    }

    @Override
    public void rescale(Scale scale, int replicas) throws InterruptedException {
      targets.rescale(scale, replicas);
    }

    @Override
    public List<AutoscaledPod> pods(String namespace, String selector) throws InterruptedException {
      return client.list(new Selection(PODS, namespace, selector, "")).stream()
          .map(AutoscaledPod::of)
          .toList();
    }

    @Override
    public MetricReadings metrics() {
      return metrics;
    }

    @Override
    public List<ObjectName> selecting(
        ObjectName name, LabelSelector selector, List<AutoscaledPod> pods) {
      LabelSelector unused = selectors.put(name, selector);
      return selectors.entrySet().stream()
          .filter(other -> other.getKey().namespace().equals(name.namespace()))
          .filter(other -> autoscalers.get(other.getKey()).isPresent())
          .filter(other -> pods.stream().anyMatch(pod -> other.getValue().matches(pod.labels())))
          .map(Map.Entry::getKey)
          .sorted()
          .toList();
    }

    @Override
    public void event(Type type, String reason, String message) {
      AutoscalerController.this.event(autoscaler, type, reason, message);
    }
  }

  private final class Changes implements ObjectListener<MapNode> {

    @Override
    public void added(ObjectName name, MapNode spec) {
      queue.add(name);
    }

    @Override
    public void updated(ObjectName name, MapNode before, MapNode after) {
      if (!before.equals(after)) {
        queue.add(name);
      }
    }

    @Override
    public void deleted(ObjectName name, MapNode last) {
      ScalingHistory unused = histories.remove(name);
      LabelSelector unused2 = selectors.remove(name);
    }
  }
}
