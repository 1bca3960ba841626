package dev.keelson.controller.endpoint;

import dev.keelson.api.ApiException;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the EndpointSlices of Services with a selector (source: Kubernetes' {@code
 * pkg/controller/endpointslice} and {@code k8s.io/endpointslice}).
 */
public final class EndpointSliceController implements Controller {

  /** The name of the service account. */
  public static final String NAME = "endpointslice-controller";

  /** The component in Events. */
  private static final String COMPONENT = "endpoint-slice-controller";

  /** Of each slice the Service of this controller, and the state; empty for slices of others. */
  private static final InformerType<Slice> SLICES =
      new InformerType<>(SliceForm.RESOURCE, Slice::of, List.of());

  private record Slice(String service, String version) {
    static Slice of(ApiObject slice) {
      Map<String, String> labels = slice.meta().labels();
      return SliceForm.CONTROLLER.equals(labels.get(SliceForm.MANAGED_BY))
          ? new Slice(labels.getOrDefault(SliceForm.SERVICE, ""), slice.meta().resourceVersion())
          : new Slice("", "");
    }
  }

  private final ApiClient client;
  private final Informer<ServiceFacts> services;
  private final Informer<NodeZone> nodes;
  private final Informer<Slice> slices;
  private final ServiceLoop loop;
  private final TriggerTimes times = new TriggerTimes();
  private final EventRecorder events;

  /** The Services with pods whose node is not known. */
  private final Set<ObjectName> waiting = ConcurrentHashMap.newKeySet();

  /** The Services whose endpoints are divided among the zones. */
  private final Set<ObjectName> divided = ConcurrentHashMap.newKeySet();

  /** A controller that has not started. */
  public EndpointSliceController(ControllerContext context) {
    this.client = context.client(NAME);
    this.events = new EventRecorder(client, COMPONENT, context.clock(), context.nanos());
    this.services = context.informers().of(ServiceFacts.TYPE);
    this.nodes = context.informers().of(NodeZone.TYPE);
    this.slices = context.informers().of(SLICES);
    this.loop =
        new ServiceLoop(
            "endpoint_slice", services, context.informers().of(EndpointPod.TYPE), this::reconcile);
  }

  @Override
  public void start() throws InterruptedException {
    events.start();
    slices.listen(new SliceChanges());
    nodes.listen(new NodeChanges());
    nodes.awaitSync();
    loop.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return loop.queues();
  }

  @Override
  public void close() {
    loop.close();
    events.close();
  }

  private Outcome reconcile(ObjectName name) throws InterruptedException {
    ServiceFacts service = services.get(name).orElse(null);
    if (service == null || service.selector().isEmpty()) {
      times.forget(name);
      waiting.remove(name);
      divided.remove(name);
      // the garbage collector deletes what a Service leaves; slices without a selector are others'
      return Outcome.DONE;
    }
    Set<String> problems = new LinkedHashSet<>();
    try {
      bringAbout(service, problems);
    } catch (ApiException e) {
      if (!e.isNamespaceTerminating()) {
        problems.add(e.text());
        tell(service, problems);
      }
      throw e;
    }
    if (problems.isEmpty()) {
      waiting.remove(name);
      return Outcome.DONE;
    }
    waiting.add(name);
    tell(service, problems);
    return Outcome.RETRY;
  }

  /**
   * Writes the slices of a Service.
   *
   * @param problems gets what is said about pods that are left out
   */
  private void bringAbout(ServiceFacts service, Set<String> problems) throws InterruptedException {
    ObjectName name = service.name();
    String selector =
        SliceForm.SERVICE
            + "="
            + name.name()
            + ","
            + SliceForm.MANAGED_BY
            + "="
            + SliceForm.CONTROLLER;
    List<ApiObject> existing =
        client.list(new Selection(SliceForm.RESOURCE, name.namespace(), selector, ""));
    List<EndpointPod> pods = loop.podsOf(service);
    Instant time = times.next(service, pods);
    for (String family : service.families()) {
      List<ApiObject> ofFamily =
          existing.stream()
              .filter(slice -> slice.root().text("addressType").equals(family))
              .toList();
      Map<Items, Map<String, MapNode>> wanted = wanted(service, pods, family, problems);
      apply(
          service,
          SlicePlan.of(
              new SliceForm(service, family), ofFamily, divide(service, family, ofFamily, wanted)),
          time);
    }
    for (ApiObject slice : existing) {
      if (!service.families().contains(slice.root().text("addressType"))) {
        delete(service, slice);
      }
    }
  }

  private void tell(ServiceFacts service, Set<String> problems) {
    String all = String.join(", ", problems);
    tell(
        service,
        EventRecorder.Type.WARNING,
        "FailedToUpdateEndpointSlices",
        "Error updating Endpoint Slices for Service "
            + service.name()
            + ": "
            + (problems.size() == 1 ? all : "[" + all + "]"));
  }

  private void tell(ServiceFacts service, EventRecorder.Type type, String reason, String message) {
    events.record(
        ObjectReference.of(
            "v1", "Service", service.name().namespace(), service.name().name(), service.uid()),
        type,
        reason,
        message);
  }

  /** The endpoints with the zones that they are for, if the Service asks for it. */
  private Map<Items, Map<String, MapNode>> divide(
      ServiceFacts service,
      String family,
      List<ApiObject> existing,
      Map<Items, Map<String, MapNode>> wanted) {
    String ofFamily = ", addressType: " + family;
    if (!service.divided()) {
      if (divided.remove(service.name())) {
        tell(
            service,
            EventRecorder.Type.WARNING,
            "TopologyAwareHintsDisabled",
            "Topology Aware Hints has been disabled" + ofFamily);
      }
      return wanted;
    }
    try {
      Map<Items, Map<String, MapNode>> hinted =
          ZoneHints.divide(ZoneHints.ratios(nodes.list()), wanted, SliceForm.zones(existing));
      if (divided.add(service.name())) {
        tell(
            service,
            EventRecorder.Type.NORMAL,
            "TopologyAwareHintsEnabled",
            "Topology Aware Hints has been enabled" + ofFamily);
      }
      return hinted;
    } catch (ZoneHints.Indivisible e) {
      divided.remove(service.name());
      tell(
          service,
          EventRecorder.Type.WARNING,
          "TopologyAwareHintsDisabled",
          e.getMessage() + ofFamily);
      return wanted;
    }
  }

  /**
   * The endpoints of an address type. A pod whose node is not there is left out, as its addresses
   * may be those of other pods by now, unless the Service asks for pods in any state.
   *
   * @param problems gets what is said about pods that are left out
   */
  private Map<Items, Map<String, MapNode>> wanted(
      ServiceFacts service, List<EndpointPod> pods, String family, Set<String> problems) {
    Map<Items, Map<String, MapNode>> wanted = new LinkedHashMap<>();
    for (EndpointPod pod : pods) {
      if (pod.serves()) {
        String zone = nodes.get(new ObjectName("", pod.node())).map(NodeZone::zone).orElse(null);
        if (zone == null && !service.publishesNotReady()) {
          boolean unused =
              problems.add(
                  "skipping Pod %s for Service %s: Node %s Not Found"
                      .formatted(pod.name().name(), service.name(), pod.node()));
          continue;
        }
        for (String address : pod.addresses()) {
          if (family.equals("IPv6") == address.contains(":")) {
            MapNode endpoint = SliceForm.endpoint(service, pod, address, zone);
            MapNode unused =
                wanted
                    .computeIfAbsent(SliceForm.ports(service, pod), ports -> new LinkedHashMap<>())
                    .put(SliceForm.identity(endpoint), endpoint);
          }
        }
      }
    }
    return wanted;
  }

  private void apply(ServiceFacts service, SlicePlan plan, @Nullable Instant time)
      throws InterruptedException {
    // the garbage collector may be deleting those of a Service that goes
    for (ApiObject slice : service.deleting() ? List.<ApiObject>of() : plan.creates()) {
      try {
        Written unused = client.create(SliceForm.RESOURCE, TriggerTimes.told(slice, time));
      } catch (ApiException e) {
        throw failure("create", service, e);
      }
    }
    for (ApiObject slice : plan.updates()) {
      try {
        Written unused = client.update(SliceForm.RESOURCE, TriggerTimes.told(slice, time));
      } catch (ApiException e) {
        throw failure("update " + slice.meta().name(), service, e);
      }
    }
    for (ApiObject slice : plan.deletes()) {
      delete(service, slice);
    }
  }

  private void delete(ServiceFacts service, ApiObject slice) throws InterruptedException {
    try {
      client.deleteIfPresent(SliceForm.RESOURCE, slice.meta());
    } catch (ApiException e) {
      throw failure("delete " + slice.meta().name(), service, e);
    }
  }

  /** The same error, saying what of which Service failed. */
  private static ApiException failure(String what, ServiceFacts service, ApiException e) {
    return new ApiException(
        e.reason(),
        "failed to " + what + " EndpointSlice for Service " + service.name() + ": " + e.text(),
        e.details(),
        e);
  }

  private final class SliceChanges implements ObjectListener<Slice> {

    @Override
    public void added(ObjectName name, Slice slice) {
      // one that this controller has made; others are found with the next change of the Service
    }

    @Override
    public void updated(ObjectName name, Slice before, Slice after) {
      again(name, before);
      again(name, after);
    }

    @Override
    public void deleted(ObjectName name, Slice last) {
      again(name, last);
    }

    private void again(ObjectName name, Slice slice) {
      if (!slice.service().isEmpty()) {
        loop.later(new ObjectName(name.namespace(), slice.service()));
      }
    }
  }

  private final class NodeChanges implements ObjectListener<NodeZone> {

    @Override
    public void added(ObjectName name, NodeZone node) {
      if (node.zone().isEmpty()) {
        waiting.forEach(loop::later);
      } else {
        loop.all();
      }
      divided.forEach(loop::later);
    }

    @Override
    public void updated(ObjectName name, NodeZone before, NodeZone after) {
      if (!before.zone().equals(after.zone())) {
        loop.all();
      }
      if (!before.equals(after)) {
        divided.forEach(loop::later);
      }
    }

    @Override
    public void deleted(ObjectName name, NodeZone last) {
      // its pods go
      divided.forEach(loop::later);
    }
  }
}
