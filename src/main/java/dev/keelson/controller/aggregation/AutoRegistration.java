package dev.keelson.controller.aggregation;

import dev.keelson.aggregation.ApiService;
import dev.keelson.aggregation.ApiServices;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.GroupPriority;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an APIService for every group version that this server serves (source: kube-aggregator's
 * autoregister controller). Those of built-in types are written once after the start: who deletes
 * or changes one later keeps that until a restart. Those of custom resources come and go with them.
 * APIServices without the label {@value ApiService#MANAGED_LABEL} are never touched.
 *
 * <p>All servers of a store do this at the same time. They agree, apart from moments in which one
 * has read a definition and the other has not: so a server deletes the APIService of a custom
 * resource that it has not served itself only after it has missed the definition for a while.
 *
 * <p>Used by one thread.
 */
public final class AutoRegistration {

  /** The resource of APIServices. */
  static final GroupVersionResource API_SERVICES =
      new GroupVersionResource("apiregistration.k8s.io", "v1", "apiservices");

  /**
   * How long an APIService of a custom resource that this server has not served is unwanted before
   * it is deleted.
   */
  static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ResourceCatalog catalog;
  private final ApiServices services;
  private final ResourceClient client;
  private final InstantSource clock;
  private final Set<String> atStart = new HashSet<>();
  private final Set<String> synced = new HashSet<>();
  private final Map<String, Instant> unwantedSince = new HashMap<>();

  /** The APIServices of custom resources that this server has served and whose object remains. */
  private final Set<String> served = new HashSet<>();

  /** The names that are to be looked at; those of a run that failed remain. */
  private final Set<String> open = new LinkedHashSet<>();

  private boolean started;

  /** How an APIService is managed: the values of the label. */
  enum Managed {
    /** Not at all. */
    NO(""),
    /** Written once after the start. */
    ON_START("onstart"),
    /** Kept as it should be. */
    ALWAYS("true");

    private final String label;

    Managed(String label) {
      this.label = label;
    }

    static Managed of(@Nullable ApiService service) {
      String label = service == null ? "" : service.managed();
      return switch (label) {
        case "onstart" -> ON_START;
        case "true" -> ALWAYS;
        default -> NO;
      };
    }
  }

  /** What is done about one APIService. */
  enum Action {
    NONE,
    CREATE,
    UPDATE,
    DELETE
  }

  /**
   * @param catalog the resources that this server serves
   * @param services the APIServices of the store
   */
  public AutoRegistration(
      ResourceCatalog catalog, ApiServices services, ResourceClient client, InstantSource clock) {
    this.catalog = catalog;
    this.services = services;
    this.client = client;
    this.clock = clock;
  }

  /**
   * Creates, updates and deletes what differs. The APIServices must have been read before.
   *
   * @return whether another run is needed though nothing changes
   */
  public boolean run() {
    services.all().forEach(service -> open.add(service.name()));
    catalog.snapshot().groupVersions().forEach(version -> open.add(ApiService.nameOf(version)));
    if (!started) {
      services.all().forEach(service -> atStart.add(service.name()));
      started = true;
    }
    return runOpen();
  }

  /**
   * The same at the cost of what has changed; the first run looks at everything.
   *
   * @param changed the names of the APIServices that have changed since the last run, and of the
   *     group versions that are served and were not or the reverse
   */
  public boolean run(Collection<String> changed) {
    if (!started) {
      return run();
    }
    open.addAll(changed);
    return runOpen();
  }

  private boolean runOpen() {
    ResourceCatalog.Snapshot now = catalog.snapshot();
    open.addAll(unwantedSince.keySet());
    for (String name : List.copyOf(open)) {
      Managed wanted = wanted(name, now);
      if (wanted == Managed.ALWAYS) {
        served.add(name);
      }
      sync(name, wanted);
      if (wanted != Managed.NO || !mayBeDeleted(services.find(name))) {
        unwantedSince.remove(name);
      }
      open.remove(name);
    }
    return !unwantedSince.isEmpty();
  }

  /** How an APIService should be managed; that of APIServices themselves is not. */
  private static Managed wanted(String name, ResourceCatalog.Snapshot served) {
    GroupVersion version = ApiService.versionOf(name);
    List<ResourceDefinition> resources = served.resources(version);
    if (resources.isEmpty() || version.group().equals(API_SERVICES.group())) {
      return Managed.NO;
    }
    return resources.getFirst().custom() != null ? Managed.ALWAYS : Managed.ON_START;
  }

  private void sync(String name, Managed wanted) {
    ApiService current = services.find(name);
    boolean asWanted =
        current != null
            && !current.remote()
            && current.priority().equals(GroupPriority.of(current.groupVersion()));
    Action action =
        decide(wanted, current, asWanted, atStart.contains(name), synced.contains(name));
    if (action == Action.DELETE && current != null && !isDue(current)) {
      return;
    }
    apply(action, name, wanted, current);
    // of the others nobody asks later whether they were synced
    if (wanted == Managed.ON_START || atStart.contains(name)) {
      synced.add(name);
    }
  }

  /**
   * The rule of kube-aggregator for one APIService.
   *
   * @param wanted how it should be managed, {@code NO} if it should not exist
   * @param current null if it does not exist
   * @param asWanted whether its spec is the wanted one
   * @param atStart whether it existed when this server started
   * @param synced whether this server has synced it before
   */
  static Action decide(
      Managed wanted,
      @Nullable ApiService current,
      boolean asWanted,
      boolean atStart,
      boolean synced) {
    if (wanted == Managed.ON_START && synced) {
      return Action.NONE;
    }
    if (current == null) {
      return wanted == Managed.NO ? Action.NONE : Action.CREATE;
    }
    Managed managed = Managed.of(current);
    if (managed == Managed.NO || (managed == Managed.ON_START && (!atStart || synced))) {
      return Action.NONE;
    }
    if (wanted == Managed.NO) {
      return mayBeDeleted(current) ? Action.DELETE : Action.NONE;
    }
    return asWanted ? Action.NONE : Action.UPDATE;
  }

  /** One that a client has pointed at a server before its deletion was due is the client's. */
  private static boolean mayBeDeleted(@Nullable ApiService unwanted) {
    return unwanted != null && !unwanted.remote();
  }

  private boolean isDue(ApiService unwanted) {
    if (Managed.of(unwanted) != Managed.ALWAYS || served.contains(unwanted.name())) {
      return true;
    }
    Instant now = clock.instant();
    Instant since = unwantedSince.computeIfAbsent(unwanted.name(), name -> now);
    return !now.isBefore(since.plus(PATIENCE));
  }

  private void apply(Action action, String name, Managed wanted, @Nullable ApiService current) {
    try {
      switch (action) {
        case NONE -> {}
        case CREATE -> {
          ApiObject unused = client.create(API_SERVICES, "", object(name, wanted));
        }
        case UPDATE -> {
          Optional<ApiObject> unused =
              client.change(
                  API_SERVICES,
                  "",
                  name,
                  found -> found.with("spec", spec(ApiService.versionOf(name))));
        }
        case DELETE -> delete(name, current);
      }
    } catch (ApiException e) {
      // another server did it first; its change is read next
      if (!Set.of(Reason.ALREADY_EXISTS, Reason.CONFLICT, Reason.NOT_FOUND).contains(e.reason())) {
        throw e;
      }
    }
  }

  private void delete(String name, @Nullable ApiService current) {
    if (current != null) {
      client.delete(
          API_SERVICES,
          "",
          name,
          new DeleteRequest(
              current.uid(), current.resourceVersion(), DeleteRequest.Dependents.DEFAULT));
      unwantedSince.remove(name);
      served.remove(name);
    }
  }

  private static ApiObject object(String name, Managed managed) {
    MapNode meta =
        MapNode.of("name", Node.text(name))
            .with("labels", MapNode.of(ApiService.MANAGED_LABEL, Node.text(managed.label)));
    return new ApiObject(
        MapNode.of("metadata", meta).with("spec", spec(ApiService.versionOf(name))));
  }

  private static MapNode spec(GroupVersion version) {
    GroupPriority priority = GroupPriority.of(version);
    MapNode spec =
        MapNode.of("version", Node.text(version.version()))
            .with("groupPriorityMinimum", new Node.Int(priority.group()))
            .with("versionPriority", new Node.Int(priority.version()));
    return version.group().isEmpty() ? spec : spec.with("group", Node.text(version.group()));
  }
}
