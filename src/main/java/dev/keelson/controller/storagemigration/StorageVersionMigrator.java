package dev.keelson.controller.storagemigration;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.storagemigration.ServedResources.Served;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Migrates the objects that StorageVersionMigrations name (KEP-4192; source: {@code
 * pkg/controller/storageversionmigrator}): first the newest revision of the resource is written to
 * the status, then each object that is not newer is applied without a field, which the server
 * stores only if the stored bytes are outdated.
 */
public final class StorageVersionMigrator implements Controller {

  /** The name of the controller, of its service account and of its field manager. */
  public static final String NAME = "storage-version-migrator-controller";

  private static final Logger LOG = Logger.getLogger(StorageVersionMigrator.class);

  private static final int WORKERS = 5;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);

  /** How long a resource may be missing, since the server may not serve a new one yet. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final ApiClient client;
  private final Informer<Migration> migrations;
  private final InstantSource clock;
  private final ServedResources resources;
  private final WorkQueue<ObjectName> unversioned =
      new WorkQueue<>("resource-version-controller", FIRST_PAUSE, LONGEST_PAUSE);
  private final WorkQueue<ObjectName> queue = new WorkQueue<>(NAME, FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop versioning =
      ControllerLoop.workers("resource-version-controller", 1, unversioned, this::version);
  private final ControllerLoop workers = ControllerLoop.workers(NAME, WORKERS, queue, this::sync);

  /** Not yet started. */
  public StorageVersionMigrator(ControllerContext context) {
    this(context.client(NAME), context.informers().of(Migration.TYPE), context.clock());
  }

  StorageVersionMigrator(ApiClient client, Informer<Migration> migrations, InstantSource clock) {
    this.client = client;
    this.migrations = migrations;
    this.clock = clock;
    this.resources = new ServedResources(client);
  }

  @Override
  public void start() throws InterruptedException {
    migrations.listen(new Changes());
    migrations.awaitSync();
    versioning.start();
    workers.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(unversioned, queue);
  }

  @Override
  public void close() {
    versioning.close();
    workers.close();
  }

  /** Writes the revision up to which objects are migrated. */
  private Outcome version(ObjectName name) throws InterruptedException {
    Migration migration = migrations.get(name).orElse(null);
    if (migration == null || migration.isFinished() || !migration.resourceVersion().isEmpty()) {
      return Outcome.DONE;
    }
    Served served = resources.find(migration.group(), migration.plural()).orElse(null);
    if (served == null) {
      return missing(
          // without a revision no status is valid
          migration.withResourceVersion(migration.object().meta().resourceVersion()),
          "resource does not exist in discovery");
    }
    String revision = client.newestRevision(served.version().resource(served.plural()));
    return written(migration.withResourceVersion(revision));
  }

  private Outcome sync(ObjectName name) throws InterruptedException {
    Migration migration = migrations.get(name).orElse(null);
    if (migration == null || migration.isFinished() || migration.resourceVersion().isEmpty()) {
      return Outcome.DONE;
    }
    Served served = resources.find(migration.group(), migration.plural()).orElse(null);
    if (served == null) {
      return missing(migration, failure("unable to obtain GVR from discovery"));
    }
    if (!migration.isRunning()) {
      // goes on when the informer tells of it
      return written(migration.running(clock.instant()));
    }
    return migrate(migration, served);
  }

  private Outcome missing(Migration migration, String message) throws InterruptedException {
    return migration.created().plus(PATIENCE).isAfter(clock.instant())
        ? Outcome.RETRY
        : written(migration.failed(message, clock.instant()));
  }

  private static String failure(String cause) {
    return "migration encountered unhandled error: " + cause;
  }

  private Outcome migrate(Migration migration, Served served) throws InterruptedException {
    GroupVersionResource resource = served.version().resource(served.plural());
    AtomicReference<@Nullable ApiException> failed = new AtomicReference<>();
    client.listInChunks(
        Selection.of(resource),
        objects -> {
          failed.set(migrateAll(objects, served, migration.resourceVersion()));
          return failed.get() == null;
        });
    ApiException failure = failed.get();
    if (failure == null) {
      return written(migration.succeeded(clock.instant()));
    }
    if (isTransient(failure)) {
      throw failure;
    }
    LOG.warnf(
        "event=storage-migration-failed name=%s error=%s",
        migration.object().meta().name(), failure.getMessage());
    return written(
        migration.failed(failure(String.valueOf(failure.getMessage())), clock.instant()));
  }

  /** Returns the failure of an object; null if none failed. */
  private @Nullable ApiException migrateAll(List<ApiObject> objects, Served served, String newest)
      throws InterruptedException {
    GroupVersionResource resource = served.version().resource(served.plural());
    for (ApiObject object : objects) {
      if (isNewer(object.meta().resourceVersion(), newest)) {
        continue;
      }
      try {
        Written unused = client.apply(resource, identity(object.meta(), served), NAME);
      } catch (ApiException e) {
        switch (e.reason()) {
          // written since, which migrated it, or deleted: a conflict, since the uid is given
          case CONFLICT, NOT_FOUND -> LOG.debugf("event=object-skipped error=%s", e.getMessage());
          default -> {
            return e;
          }
        }
      }
    }
    return null;
  }

  /** What is applied: the object with its state, and no field. */
  private static ApiObject identity(ObjectMeta meta, Served served) {
    MapNode.Builder metadata = MapNode.builder(4).put("name", Node.text(meta.name()));
    if (!meta.namespace().isEmpty()) {
      metadata.put("namespace", Node.text(meta.namespace()));
    }
    return new ApiObject(
        MapNode.builder(3)
            .put("apiVersion", Node.text(served.version().toString()))
            .put("kind", Node.text(served.kind()))
            .put(
                "metadata",
                metadata
                    .put("uid", Node.text(meta.uid()))
                    .put("resourceVersion", Node.text(meta.resourceVersion()))
                    .build())
            .build());
  }

  /** Revisions are numbers of any length. */
  static boolean isNewer(String revision, String than) {
    return revision.length() != than.length()
        ? revision.length() > than.length()
        : revision.compareTo(than) > 0;
  }

  private static boolean isTransient(ApiException e) {
    return switch (e.reason()) {
      case SERVER_TIMEOUT, TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE, INTERNAL_ERROR, TIMEOUT -> true;
      default -> false;
    };
  }

  /** Writes the status; a change of the object in between is seen when the informer tells of it. */
  private Outcome written(Migration migration) throws InterruptedException {
    Written unused = client.updateStatus(Migration.RESOURCE, migration.object());
    return Outcome.DONE;
  }

  private final class Changes implements ObjectListener<Migration> {

    @Override
    public void added(ObjectName name, Migration migration) {
      if (!migration.isFinished()) {
        (migration.resourceVersion().isEmpty() ? unversioned : queue).add(name);
      }
    }

    @Override
    public void updated(ObjectName name, Migration before, Migration after) {
      added(name, after);
    }

    @Override
    public void deleted(ObjectName name, Migration last) {
      // nothing to do
    }
  }
}
