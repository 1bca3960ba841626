package dev.keelson.controller.aggregation;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiService.Backend;
import dev.keelson.aggregation.ApiServices;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.webhook.ServiceSource;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sets the condition Available of remote APIServices (source: kube-aggregator's {@code
 * remote_available_controller.go}): after changes of the APIService, its Service and its endpoints,
 * and every 30 seconds. Marks local ones that are not marked as available (source: {@code
 * local_available_controller.go}), as those are that were remote before. Without any of these it
 * does nothing.
 */
public final class AvailabilityController implements QueueOwner, AutoCloseable {

  private static final Duration RESYNC = Duration.ofSeconds(30);
  private static final Duration FIRST_RETRY = Duration.ofMillis(100);
  private static final int WORKERS = 5;

  /** Requests at the same time; one that succeeds is enough. */
  private static final int ATTEMPTS = 5;

  private final ApiServices services;
  private final ResourceClient client;
  private final ServiceSource source;
  private final Probe probe;
  private final Observer observer;
  private final InstantSource clock;
  private final WorkQueue<String> queue =
      new WorkQueue<>("remote_available_controller", FIRST_RETRY, RESYNC);
  private final ControllerLoop resync =
      ControllerLoop.every("api-service-resync", RESYNC, this::queueAll);
  private final ControllerLoop workers =
      ControllerLoop.workers("api-service-availability", WORKERS, queue, this::reconcile);

  /** What was last queued; used by the thread that publishes the APIServices. */
  private Map<GroupVersion, ApiService> seen = Map.of();

  private Set<String> seenUnmarked = Set.of();

  private boolean working;

  /** Asks a remote server for the resources of its group version. */
  @FunctionalInterface
  public interface Probe {

    /**
     * Asks once.
     *
     * @throws IOException if there is no answer of success; the message is that of the condition
     */
    void check(ApiService service) throws IOException;
  }

  /** Is told what was found out about remote APIServices. */
  public interface Observer {

    /** Whether a remote APIService is available, as was just found. */
    void checked(String name, boolean available);

    /**
     * A remote APIService that was available is not any more.
     *
     * @param reason of the condition
     */
    void lost(String name, String reason);

    /** An APIService is gone, or not remote any more. */
    void forgotten(String name);
  }

  /**
   * A condition.
   *
   * @param status True, False or Unknown
   */
  record Finding(String status, String reason, String message) {

    /** Of an APIService without a Service. */
    static final Finding LOCAL =
        new Finding("True", "Local", "Local APIServices are always available");

    static Finding no(String reason, String message) {
      return new Finding("False", reason, message);
    }

    private boolean isOf(ApiObject object) {
      return object.root().map("spec").has("service") != equals(LOCAL);
    }
  }

  /**
   * Not yet running.
   *
   * @param source the Services that APIServices name
   */
  public AvailabilityController(
      ApiServices services,
      ResourceClient client,
      ServiceSource source,
      Probe probe,
      Observer observer,
      InstantSource clock) {
    this.services = services;
    this.client = client;
    this.source = source;
    this.probe = probe;
    this.observer = observer;
    this.clock = clock;
  }

  /** Follows the APIServices. */
  public void start() {
    services.listen(this::queueChanged);
    queueChanged();
  }

  private synchronized void queueChanged() {
    ApiServices.Snapshot now = services.snapshot();
    Map<GroupVersion, ApiService> remotes = now.remotes();
    now.unmarked().stream().filter(name -> !seenUnmarked.contains(name)).forEach(queue::add);
    seenUnmarked = now.unmarked();
    remotes.forEach(
        (version, service) -> {
          if (!service.equals(seen.get(version))) {
            queue.add(service.name());
          }
        });
    seen.forEach(
        (version, service) -> {
          if (!remotes.containsKey(version)) {
            observer.forgotten(service.name());
          }
        });
    seen = remotes;
    if (!working && !(remotes.isEmpty() && now.unmarked().isEmpty())) {
      // only now: a server without remote APIServices has no threads for them
      working = true;
      workers.start();
      resync.startAfterInterval();
    }
  }

  private void queueAll() {
    services.snapshot().remotes().values().forEach(service -> queue.add(service.name()));
  }

  /** A Service or its endpoints changed. */
  public void serviceChanged(String namespace) {
    for (ApiService service : services.snapshot().remotes().values()) {
      Backend backend = service.backend();
      if (backend != null && backend.namespace().equals(namespace)) {
        queue.add(service.name());
      }
    }
  }

  private Outcome reconcile(String name) throws InterruptedException {
    ApiService service = services.find(name);
    if (service == null) {
      return Outcome.DONE;
    }
    if (!service.remote()) {
      boolean unused = write(name, Finding.LOCAL);
      return Outcome.DONE;
    }
    Finding finding = judge(service);
    boolean available = finding.status.equals("True");
    observer.checked(name, available);
    if (write(name, finding)) {
      observer.lost(name, finding.reason);
    }
    return finding.reason.equals("FailedDiscoveryCheck") ? Outcome.RETRY : Outcome.DONE;
  }

  /** What the condition of a remote APIService should be. */
  Finding judge(ApiService service) throws InterruptedException {
    Backend backend = service.backend();
    if (backend == null) {
      throw new IllegalArgumentException(service.name() + " is local");
    }
    String named = "service/" + backend.name() + " in \"" + backend.namespace() + "\"";
    Optional<ApiObject> found;
    try {
      found = source.service(backend.namespace(), backend.name());
    } catch (ApiException e) {
      return unknown("ServiceAccessError", named, e);
    }
    if (found.isEmpty()) {
      return Finding.no("ServiceNotFound", named + " is not present");
    }
    MapNode spec = found.get().root().map("spec");
    if (spec.text("type").equals("ClusterIP")) {
      Optional<MapNode> port =
          spec.maps("ports").stream()
              .filter(each -> each.get("port") instanceof Node.Int p && p.value() == backend.port())
              .findFirst();
      if (port.isEmpty()) {
        return Finding.no(
            "ServicePortError", named + " is not listening on port " + backend.port());
      }
      List<ApiObject> slices;
      try {
        slices = source.endpointSlices(backend.namespace(), backend.name());
      } catch (ApiException e) {
        return unknown("EndpointsAccessError", named, e);
      }
      if (slices.isEmpty()) {
        return Finding.no("EndpointsNotFound", "cannot find endpointslices for " + named);
      }
      String portName = port.get().text("name");
      if (slices.stream().noneMatch(slice -> isReady(slice.root(), portName))) {
        return Finding.no(
            "MissingEndpoints",
            "endpointslices for "
                + named
                + " have no addresses with port name \""
                + portName
                + "\"");
      }
    }
    Optional<String> problem = discover(service);
    return problem
        .map(text -> Finding.no("FailedDiscoveryCheck", text))
        .orElseGet(() -> new Finding("True", "Passed", "all checks passed"));
  }

  private static Finding unknown(String reason, String named, ApiException cause) {
    return new Finding(
        "Unknown", reason, named + " cannot be checked due to: " + cause.getMessage());
  }

  private static boolean isReady(MapNode slice, String portName) {
    return slice.maps("endpoints").stream()
            .anyMatch(each -> each.map("conditions").get("ready") != Node.Bool.FALSE)
        && slice.maps("ports").stream()
            .anyMatch(port -> port.text("name").equals(portName) && port.has("port"));
  }

  /** Asks several times at once; the last failure if all fail. */
  private Optional<String> discover(ApiService service) throws InterruptedException {
    BlockingQueue<String> results = new LinkedBlockingQueue<>();
    List<Thread> attempts = new ArrayList<>(ATTEMPTS);
    for (int i = 0; i < ATTEMPTS; i++) {
      attempts.add(
          Thread.ofVirtual().name("api-service-check").start(() -> results.add(attempt(service))));
    }
    try {
      String last = "";
      for (int i = 0; i < ATTEMPTS; i++) {
        last = results.take();
        if (last.isEmpty()) {
          return Optional.empty();
        }
      }
      return Optional.of(last);
    } finally {
      attempts.forEach(Thread::interrupt);
    }
  }

  private String attempt(ApiService service) {
    try {
      probe.check(service);
      return "";
    } catch (IOException | RuntimeException e) {
      return e.getMessage() == null ? e.toString() : e.getMessage();
    }
  }

  /**
   * Writes the condition.
   *
   * @return whether it was that of an available one, and is not any more; {@link #services} may be
   *     behind, and would tell the same loss twice
   */
  private boolean write(String name, Finding finding) {
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    AtomicBoolean lost = new AtomicBoolean();
    Optional<ApiObject> unused =
        client.changeStatus(
            AutoRegistration.API_SERVICES,
            "",
            name,
            object -> {
              ApiObject after = with(object, finding, now);
              lost.set(isAvailable(object) && !isAvailable(after));
              return after;
            });
    return lost.get();
  }

  private static boolean isAvailable(ApiObject object) {
    return ApiService.condition(object).text("status").equals("True");
  }

  /** The object with the condition; the time of the transition changes with the status only. */
  static ApiObject with(ApiObject object, Finding finding, String now) {
    if (!finding.isOf(object)) {
      // it changed in the meantime
      return object;
    }
    MapNode before = ApiService.condition(object);
    String since = before.text("lastTransitionTime");
    MapNode after =
        before
            .with("type", Node.text("Available"))
            .with("status", Node.text(finding.status))
            .with(
                "lastTransitionTime",
                before.text("status").equals(finding.status) && !since.isEmpty()
                    ? Node.text(since)
                    : Node.text(now))
            .with("reason", Node.text(finding.reason))
            .with("message", Node.text(finding.message));
    if (after.equals(before)) {
      return object;
    }
    MapNode status = object.root().map("status");
    List<Node> conditions = new ArrayList<>(status.items("conditions"));
    int at = conditions.indexOf(before);
    if (at < 0) {
      conditions.add(after);
    } else {
      conditions.set(at, after);
    }
    return object.with("status", status.with("conditions", new Node.Items(conditions)));
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    resync.close();
    workers.close();
  }
}
