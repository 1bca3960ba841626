package dev.keelson.controller.mirroring;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
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
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.object.ApiObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Keeps EndpointSlices with the addresses of Endpoints whose Service has no selector (source:
 * Kubernetes' {@code pkg/controller/endpointslicemirroring}). Endpoints with the label {@code
 * endpointslice.kubernetes.io/skip-mirror: "true"} or a record of a leader election are not
 * mirrored.
 */
public final class EndpointSliceMirroringController implements Controller {

  /** The name of the service account. */
  public static final String NAME = "endpointslicemirroring-controller";

  private static final String COMPONENT = "endpoint-slice-mirroring-controller";
  private static final GroupVersionResource ENDPOINTS = GroupVersion.CORE_V1.resource("endpoints");
  private static final String SKIP = "endpointslice.kubernetes.io/skip-mirror";
  private static final String LEADER = "control-plane.alpha.kubernetes.io/leader";

  /** As kube-controller-manager ({@code --mirroring-max-endpoints-per-subset}). */
  private static final int MOST = 1000;

  /** As kube-controller-manager ({@code --mirroring-concurrent-service-endpoint-syncs}). */
  private static final int WORKERS = 5;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(100);

  /**
   * What is kept of Endpoints.
   *
   * @param mirrored whether they are, if their Service has no selector
   */
  private record Version(String resourceVersion, boolean mirrored) {
    static final InformerType<Version> TYPE =
        new InformerType<>(
            ENDPOINTS,
            endpoints ->
                new Version(
                    endpoints.meta().resourceVersion(),
                    EndpointSliceMirroringController.mirrored(endpoints)),
            List.of());
  }

  /** Whether Services have a selector. */
  private static final InformerType<Boolean> SELECTORS =
      new InformerType<>(
          GroupVersion.CORE_V1.resource("services"),
          service -> !service.root().map("spec").map("selector").isEmpty(),
          List.of());

  /** Of each slice the Service of this controller, and the state; empty for slices of others. */
  private static final InformerType<Slice> SLICES =
      new InformerType<>(MirrorPlan.RESOURCE, Slice::of, List.of());

  private record Slice(String service, String version) {
    static Slice of(ApiObject slice) {
      Map<String, String> labels = slice.meta().labels();
      return MirrorPlan.CONTROLLER.equals(labels.get(MirrorPlan.MANAGED_BY))
          ? new Slice(labels.getOrDefault(MirrorPlan.SERVICE, ""), slice.meta().resourceVersion())
          : new Slice("", "");
    }
  }

  private final ApiClient client;
  private final EventRecorder events;
  private final Informer<Version> endpoints;
  private final Informer<Boolean> services;
  private final Informer<Slice> slices;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("endpoint_slice_mirroring", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop workers =
      ControllerLoop.workers("endpointslice-mirroring", WORKERS, queue, this::reconcile);

  /** A controller that has not started. */
  public EndpointSliceMirroringController(ControllerContext context) {
    this.client = context.client(NAME);
    this.events = new EventRecorder(client, COMPONENT, context.clock(), context.nanos());
    this.endpoints = context.informers().of(Version.TYPE);
    this.services = context.informers().of(SELECTORS);
    this.slices = context.informers().of(SLICES);
  }

  @Override
  public void start() throws InterruptedException {
    events.start();
    services.awaitSync();
    slices.awaitSync();
    endpoints.awaitSync();
    services.listen(new ServiceChanges());
    slices.listen(new SliceChanges());
    endpoints.listen(new EndpointsChanges());
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

  private static boolean mirrored(ApiObject endpoints) {
    return !"true".equals(endpoints.meta().labels().get(SKIP))
        && !endpoints.meta().annotations().containsKey(LEADER);
  }

  private Outcome reconcile(ObjectName name) throws InterruptedException {
    try {
      mirror(name);
      return Outcome.DONE;
    } catch (ApiException e) {
      if (e.reason() == Reason.CONFLICT || e.reason() == Reason.NOT_FOUND) {
        // somebody else has written it
        return Outcome.RETRY;
      }
      if (e.reason() == Reason.FORBIDDEN && e.text().contains("is being terminated")) {
        return Outcome.DONE;
      }
      throw e;
    }
  }

  private void mirror(ObjectName name) throws InterruptedException {
    boolean wanted =
        !services.get(name).orElse(true)
            && endpoints.get(name).map(Version::mirrored).orElse(false);
    ApiObject source =
        wanted
            ? client
                .get(ENDPOINTS, name.namespace(), name.name())
                .filter(EndpointSliceMirroringController::mirrored)
                .orElse(null)
            : null;
    if (source == null) {
      if (slices.list(name.namespace()).stream()
          .anyMatch(slice -> slice.service().equals(name.name()))) {
        for (ApiObject slice : existing(name)) {
          client.deleteIfPresent(MirrorPlan.RESOURCE, slice.meta());
        }
      }
      return;
    }
    MirroredSubsets subsets = MirroredSubsets.of(source, MOST);
    report(source, subsets);
    MirrorPlan plan = MirrorPlan.of(source, subsets, existing(name));
    for (ApiObject slice : plan.creates()) {
      Written unused = client.create(MirrorPlan.RESOURCE, slice);
    }
    for (ApiObject slice : plan.updates()) {
      Written unused = client.update(MirrorPlan.RESOURCE, slice);
    }
    for (ApiObject slice : plan.deletes()) {
      client.deleteIfPresent(MirrorPlan.RESOURCE, slice.meta());
    }
  }

  private void report(ApiObject source, MirroredSubsets subsets) {
    ObjectReference about =
        ObjectReference.of(
            "v1",
            "Endpoints",
            source.meta().namespace(),
            source.meta().name(),
            source.meta().uid());
    if (subsets.invalid() > 0) {
      events.record(
          about,
          Type.WARNING,
          "InvalidIPAddress",
          "Skipped %d invalid IP addresses when mirroring to EndpointSlices"
              .formatted(subsets.invalid()));
    }
    if (subsets.skipped() > subsets.invalid()) {
      events.record(
          about,
          Type.WARNING,
          "TooManyAddressesToMirror",
          ("A max of %d addresses can be mirrored to EndpointSlices per Endpoints subset. %d"
                  + " addresses were skipped")
              .formatted(MOST, subsets.skipped()));
    }
  }

  private List<ApiObject> existing(ObjectName name) throws InterruptedException {
    String selector =
        MirrorPlan.SERVICE
            + "="
            + name.name()
            + ","
            + MirrorPlan.MANAGED_BY
            + "="
            + MirrorPlan.CONTROLLER;
    return client.list(new Selection(MirrorPlan.RESOURCE, name.namespace(), selector, ""));
  }

  private final class ServiceChanges implements ObjectListener<Boolean> {

    @Override
    public void added(ObjectName name, Boolean selects) {
      if (!selects) {
        queue.add(name);
      }
    }

    @Override
    public void updated(ObjectName name, Boolean before, Boolean after) {
      if (!before.equals(after)) {
        queue.add(name);
      }
    }

    @Override
    public void deleted(ObjectName name, Boolean last) {
      added(name, last);
    }
  }

  private final class EndpointsChanges implements ObjectListener<Version> {

    @Override
    public void added(ObjectName name, Version version) {
      if (version.mirrored()) {
        queue.add(name);
      }
    }

    @Override
    public void updated(ObjectName name, Version before, Version after) {
      if (!before.equals(after) && (before.mirrored() || after.mirrored())) {
        queue.add(name);
      }
    }

    @Override
    public void deleted(ObjectName name, Version last) {
      added(name, last);
    }
  }

  private final class SliceChanges implements ObjectListener<Slice> {

    @Override
    public void added(ObjectName name, Slice slice) {
      again(name, slice);
    }

    @Override
    public void updated(ObjectName name, Slice before, Slice after) {
      if (!before.equals(after)) {
        again(name, before);
        again(name, after);
      }
    }

    @Override
    public void deleted(ObjectName name, Slice last) {
      again(name, last);
    }

    private void again(ObjectName name, Slice slice) {
      if (!slice.service().isEmpty()) {
        queue.add(new ObjectName(name.namespace(), slice.service()));
      }
    }
  }
}
