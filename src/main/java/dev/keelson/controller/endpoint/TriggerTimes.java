package dev.keelson.controller.endpoint;

import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The time of the change that made endpoints change, which an annotation tells, so that the time
 * until proxies know of it can be measured (source: {@code TriggerTimeTracker} of Kubernetes'
 * {@code k8s.io/endpointslice}). A Service is looked at by one thread at a time.
 */
final class TriggerTimes {

  /** The annotation of Endpoints and EndpointSlices. */
  static final String ANNOTATION = "endpoints.kubernetes.io/last-change-trigger-time";

  private record Seen(Instant service, Map<String, Instant> pods) {}

  private final Map<ObjectName, Seen> services = new ConcurrentHashMap<>();

  /**
   * The earliest change of a Service and its pods since the last call; the creation of a Service
   * that was not seen before; null if nothing has changed.
   */
  @Nullable Instant next(ServiceFacts service, List<EndpointPod> pods) {
    Map<String, Instant> times = HashMap.newHashMap(pods.size());
    for (EndpointPod pod : pods) {
      Instant time = pod.readinessChanged();
      if (time != null) {
        times.put(pod.name().name(), time);
      }
    }
    Seen before = services.put(service.name(), new Seen(service.created(), times));
    if (before == null) {
      return service.created();
    }
    Instant earliest = service.created().isAfter(before.service) ? service.created() : null;
    for (Map.Entry<String, Instant> each : times.entrySet()) {
      Instant time = each.getValue();
      Instant known = before.pods.get(each.getKey());
      if ((known == null || time.isAfter(known)) && (earliest == null || time.isBefore(earliest))) {
        earliest = time;
      }
    }
    return earliest;
  }

  /** Forgets a Service that was deleted. */
  void forget(ObjectName service) {
    Seen unused = services.remove(service);
  }

  /** An object with the annotation; without, if the time is null. */
  static ApiObject told(ApiObject object, @Nullable Instant time) {
    MapNode metadata = object.root().map("metadata");
    MapNode annotations = metadata.map("annotations");
    if (time == null && !annotations.has(ANNOTATION)) {
      return object;
    }
    MapNode next =
        time == null
            ? annotations.without(ANNOTATION)
            : annotations.with(ANNOTATION, Node.text(Times.text(time)));
    return object.withMeta(
        new ObjectMeta(
            next.isEmpty() ? metadata.without("annotations") : metadata.with("annotations", next)));
  }
}
