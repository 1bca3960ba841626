package dev.keelson.controller.endpoint;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the Endpoints of Services with a selector (source: Kubernetes' {@code
 * pkg/controller/endpoint}).
 */
public final class EndpointsController implements Controller {

  /** The name of the service account. */
  public static final String NAME = "endpoint-controller";

  private static final GroupVersionResource RESOURCE = GroupVersion.CORE_V1.resource("endpoints");
  private static final String MANAGED_BY = "endpoints.kubernetes.io/managed-by";
  private static final String CAPACITY = "endpoints.kubernetes.io/over-capacity";

  /** Nothing of Endpoints is kept; only that they change matters. */
  private static final InformerType<String> ENDPOINTS =
      new InformerType<>(RESOURCE, endpoints -> endpoints.meta().resourceVersion(), List.of());

  private final ApiClient client;
  private final Informer<ServiceFacts> services;
  private final Informer<String> endpoints;
  private final ServiceLoop loop;
  private final TriggerTimes times = new TriggerTimes();
  private final EventRecorder events;

  /** A controller that has not started. */
  public EndpointsController(ControllerContext context) {
    this.client = context.client(NAME);
    this.events = new EventRecorder(client, NAME, context.clock(), context.nanos());
    this.services = context.informers().of(ServiceFacts.TYPE);
    this.endpoints = context.informers().of(ENDPOINTS);
    this.loop =
        new ServiceLoop(
            "endpoint",
            services,
            context.informers().of(EndpointPod.TYPE),
            name -> {
              reconcile(name);
              return Outcome.DONE;
            });
  }

  @Override
  public void start() throws InterruptedException {
    events.start();
    // updates by others are corrected with the next change of the Service or its pods
    endpoints.listen(ObjectListener.ofDeletions((name, last) -> loop.later(name)));
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

  private void reconcile(ObjectName name) throws InterruptedException {
    ServiceFacts service = services.get(name).orElse(null);
    Optional<ApiObject> found = client.get(RESOURCE, name.namespace(), name.name());
    if (service == null) {
      times.forget(name);
      if (found.isPresent()) {
        client.deleteIfPresent(RESOURCE, found.get().meta());
      }
      return;
    }
    if (service.selector().isEmpty()) {
      // those of others
      return;
    }
    EndpointSubsets subsets = new EndpointSubsets(service);
    List<EndpointPod> pods = loop.podsOf(service);
    Instant time = times.next(service, pods);
    pods.forEach(subsets::add);
    ApiObject next = wanted(service, found.orElseGet(() -> empty(name)), subsets);
    try {
      if (found.isEmpty()) {
        Written unused = client.create(RESOURCE, TriggerTimes.told(next, time));
      } else if (!next.equals(found.get())) {
        Written unused = client.update(RESOURCE, TriggerTimes.told(next, time));
      }
    } catch (ApiException e) {
      if (!e.isNamespaceTerminating()) {
        refused(name, found.map(each -> each.meta().uid()).orElse(""), e);
      }
      throw e;
    }
  }

  /**
   * Tells that Endpoints could not be written.
   *
   * @param uid empty if they do not exist
   */
  private void refused(ObjectName name, String uid, ApiException e) {
    boolean create = uid.isEmpty();
    events.record(
        ObjectReference.of("v1", "Endpoints", name.namespace(), name.name(), uid),
        Type.WARNING,
        create ? "FailedToCreateEndpoint" : "FailedToUpdateEndpoint",
        (create ? "Failed to create endpoint for service " : "Failed to update endpoint ")
            + name
            + ": "
            + e.text());
  }

  private static ApiObject empty(ObjectName name) {
    MapNode metadata =
        MapNode.of("name", Node.text(name.name())).with("namespace", Node.text(name.namespace()));
    return new ApiObject(MapNode.of("metadata", metadata)).withType("v1", "Endpoints");
  }

  private static ApiObject wanted(
      ServiceFacts service, ApiObject endpoints, EndpointSubsets subsets) {
    MapNode metadata = endpoints.root().map("metadata");
    Map<String, String> labels = new HashMap<>(service.labelsOfEndpoints());
    labels.put(MANAGED_BY, "endpoint-controller");
    if (!metadata.map("labels").texts().equals(labels)) {
      metadata = metadata.with("labels", MapNode.ofTexts(labels));
    }
    MapNode annotations = metadata.map("annotations");
    if (subsets.truncated() && !annotations.text(CAPACITY).equals("truncated")) {
      metadata = metadata.with("annotations", annotations.with(CAPACITY, Node.text("truncated")));
    } else if (!subsets.truncated() && annotations.has(CAPACITY)) {
      metadata = metadata.with("annotations", annotations.without(CAPACITY));
    }
    Items wanted = subsets.build();
    MapNode root = endpoints.root().with("metadata", metadata);
    if (!new Items(root.items("subsets")).equals(wanted)) {
      root = root.with("subsets", wanted);
    }
    return new ApiObject(root);
  }
}
