package dev.keelson.controller.quota;

import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.QuotaFeed;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.quota.Evaluators;
import dev.keelson.quota.Quota;
import dev.keelson.quota.ResourceList;
import dev.keelson.quota.UsageFences;
import dev.keelson.schema.ResourceCatalog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Keeps the status of ResourceQuotas: {@code hard} as the spec has it, {@code used} as the objects
 * of the namespace make it (source: Kubernetes' {@code pkg/controller/resourcequota}). Every server
 * runs it; a status is stored only if the quota still has the resourceVersion from which it was
 * computed.
 */
public final class QuotaController implements QueueOwner, AutoCloseable {

  /*
   * Admission charges a quota before the object is stored, so that a count in between is too low. A
   * lower usage is therefore counted behind the fence of the namespace: a charged object that is not
   * stored when the fence is raised is charged again. To spare writes that, usage is lowered only if
   * the quota has not been charged for SETTLING; a charged object is stored or has failed long before
   * that. A quota that is charged all the time is lowered when it is full, since then nothing more is
   * charged.
   *
   * Two queues as in Kubernetes: quotas whose status is incomplete do not wait behind recounts.
   */

  /** The API resource of quotas. */
  public static final GroupVersionResource RESOURCE =
      GroupVersion.CORE_V1.resource("resourcequotas");

  /** As in kube-controller-manager ({@code --resource-quota-sync-period}). */
  private static final Duration RESYNC = Duration.ofMinutes(5);

  /** How long a quota does not change before it is counted whether its usage is what is stored. */
  private static final Duration CHECK = Duration.ofSeconds(5);

  private static final Duration SETTLING = Duration.ofMillis(300);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
  private static final int WORKERS = 5;

  /** More waiting changes than this cost more than a recount of all quotas. */
  private static final int MOST_WAITING = 10_000;

  private static final Logger LOG = Logger.getLogger(QuotaController.class);

  private final ResourceClient client;
  private final QuotaFeed feed;
  private final UsageFences fences;
  private final UsageCount counts;
  private final KnownQuotas known;
  private final WorkQueue<QuotaKey> urgent =
      new WorkQueue<>("resourcequota_priority", FIRST_PAUSE, LONGEST_PAUSE);
  private final WorkQueue<QuotaKey> recounts =
      new WorkQueue<>("resourcequota_primary", FIRST_PAUSE, LONGEST_PAUSE);
  private final BlockingQueue<Runnable> changes = new LinkedBlockingQueue<>();
  private final AtomicBoolean following = new AtomicBoolean();

  private final ControllerLoop reader =
      ControllerLoop.every("quota-changes", ControllerLoop.NO_RESYNC, this::readChanges);
  private final ControllerLoop urgentWorkers =
      ControllerLoop.workers("quota-status", WORKERS, urgent, this::reconcile);
  private final ControllerLoop recountWorkers =
      ControllerLoop.workers("quota-recount", WORKERS, recounts, this::reconcile);
  private final ControllerLoop resync = ControllerLoop.every("quota-resync", RESYNC, this::recount);
  private final ControllerLoop check = ControllerLoop.every("quota-check", CHECK, this::check);

  /**
   * Not yet started.
   *
   * @param nanos a monotonic clock, in nanoseconds
   */
  public QuotaController(
      ResourceCatalog catalog,
      ResourceClient client,
      QuotaFeed feed,
      Evaluators evaluators,
      UsageFences fences,
      LongSupplier nanos) {
    this.client = client;
    this.feed = feed;
    this.fences = fences;
    this.counts = new UsageCount(catalog, client, evaluators);
    this.known = new KnownQuotas(evaluators, nanos);
  }

  /** Lists the quotas and follows changes, on threads of its own. */
  public void start() {
    reader.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(urgent, recounts);
  }

  @Override
  public void close() {
    resync.close();
    check.close();
    reader.close();
    urgentWorkers.close();
    recountWorkers.close();
  }

  private void readChanges() throws InterruptedException {
    if (following.compareAndSet(false, true)) {
      feed.follow(new Changes());
    }
    changes.clear();
    listAll();
    while (true) {
      changes.take().run();
    }
  }

  /** The workers and the resync of quotas start with the first of them. */
  private void startWorkers() {
    urgentWorkers.start();
    recountWorkers.start();
    resync.startAfterInterval();
    check.startAfterInterval();
  }

  private void recount() {
    known.all().forEach(quota -> recounts.add(QuotaKey.of(quota)));
  }

  private void check() {
    known.takeDoubtful(CHECK).forEach(recounts::add);
  }

  private void learn(ApiObject object, boolean listed) {
    Quota quota = Quota.of(object, Long.parseLong(object.meta().resourceVersion()));
    boolean same = known.put(quota).filter(old -> old.wanted().equals(quota.wanted())).isPresent();
    QuotaKey key = QuotaKey.of(quota);
    startWorkers();
    if (!quota.wanted().equals(quota.hard())
        || !counts.isComplete(quota.hard().names(), quota.used())) {
      urgent.add(key);
    } else if (listed || !same) {
      recounts.add(key);
    }
  }

  /** Waits until nothing is left to do for a quota. */
  void join(String namespace, String name) throws InterruptedException {
    QuotaKey key = new QuotaKey(namespace, name);
    urgent.awaitDone(key);
    recounts.awaitDone(key);
  }

  private Outcome reconcile(QuotaKey key) {
    Optional<ApiObject> found = client.get(RESOURCE, key.namespace(), key.name());
    if (found.isEmpty()) {
      known.remove(key);
      return Outcome.DONE;
    }
    ApiObject object = found.get();
    String version = object.meta().resourceVersion();
    Quota quota = Quota.of(object, Long.parseLong(version));
    ResourceList counted = count(quota);
    MapNode status = object.root().map("status");
    if (quota.hard().equals(quota.wanted())
        && quota.used().equals(counted)
        && status.has("hard")
        && status.has("used")) {
      return Outcome.DONE;
    }
    boolean lower = !quota.used().exceeding(counted).isEmpty();
    if (lower && !known.settled(quota, SETTLING)) {
      return Outcome.RETRY;
    }
    if (lower) {
      fences.raise(key.namespace());
    }
    ResourceList used = lower ? count(quota) : counted;
    AtomicBoolean stored = new AtomicBoolean();
    MapNode next =
        MapNode.of("hard", object.root().map("spec").map("hard")).with("used", used.node());
    Optional<ApiObject> written =
        client.changeStatus(
            RESOURCE,
            key.namespace(),
            key.name(),
            current -> {
              stored.set(current.meta().resourceVersion().equals(version));
              return stored.get() ? current.with("status", next) : current;
            });
    LOG.debugf("event=quota-recounted quota=%s stored=%s used=%s", key, stored, used);
    return written.isEmpty() || stored.get() ? Outcome.DONE : Outcome.RETRY;
  }

  private ResourceList count(Quota quota) {
    return quota.used().with(counts.measure(quota)).masked(quota.wanted().names());
  }

  /** Passes changes on to the reader's thread. */
  private final class Changes implements QuotaFeed.Listener {

    @Override
    public void quotaChanged(String namespace, String name, Supplier<Optional<ApiObject>> object) {
      add(
          () ->
              object
                  .get()
                  .ifPresentOrElse(
                      quota -> learn(quota, /* listed= */ false),
                      () -> known.remove(new QuotaKey(namespace, name))));
    }

    @Override
    public boolean follows(String namespace) {
      return known.isLimited(namespace);
    }

    @Override
    public boolean follows() {
      return known.any();
    }

    @Override
    public boolean followsUpdates(GroupResource resource) {
      return known.followsUpdates(resource);
    }

    @Override
    public void deleted(GroupResource resource, String namespace) {
      add(() -> known.tracking(resource, namespace).forEach(recounts::add));
    }

    @Override
    public void updated(GroupResource resource, String namespace, QuotaFeed.Update update) {
      add(
          () -> {
            if (known.replenishes(resource, update)) {
              known.tracking(resource, namespace).forEach(recounts::add);
            }
          });
    }

    @Override
    public void typesAdded(Set<GroupResource> resources) {
      if (!known.any()) {
        // one that is listed later is counted with all types
        return;
      }
      add(
          () -> {
            for (Quota quota : known.all()) {
              if (!counts.isComplete(quota.hard().names(), quota.used(), resources)) {
                urgent.add(QuotaKey.of(quota));
              }
            }
          });
    }

    @Override
    public void lost() {
      changes.clear();
      changes.add(QuotaController.this::listAll);
    }

    private void add(Runnable change) {
      if (changes.size() < MOST_WAITING) {
        changes.add(change);
      } else {
        lost();
      }
    }
  }

  private void listAll() {
    known.clear();
    for (ApiObject quota : client.list(RESOURCE, "")) {
      learn(quota, /* listed= */ true);
    }
  }
}
