package dev.keelson.controller.storageversion;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
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
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Removes from StorageVersions the statements of API servers whose Lease is gone, and those without
 * any statement left (source: {@code pkg/controller/storageversiongc}).
 */
public final class StorageVersionGarbageCollector implements Controller {

  /** The name of the controller. */
  public static final String NAME = "storageversion-garbage-collector-controller";

  private static final String ACCOUNT = "storage-version-garbage-collector";
  private static final String NAMESPACE = "kube-system";
  private static final String IDENTITY = "apiserver.kubernetes.io/identity";
  private static final String API_SERVER = "kube-apiserver";
  private static final GroupVersionResource LEASES =
      new GroupVersionResource("coordination.k8s.io", "v1", "leases");

  /** The Leases of API servers: their names alone. */
  static final InformerType<String> SERVERS =
      new InformerType<>(
          new Selection(LEASES, NAMESPACE, IDENTITY + "=" + API_SERVER, ""),
          lease -> lease.meta().name(),
          List.of());

  /** The StorageVersions. */
  static final InformerType<Stated> VERSIONS =
      new InformerType<>(StorageVersionStatus.RESOURCE, Stated::of, List.of());

  /**
   * Who has made a statement.
   *
   * @param name the name of the StorageVersion
   */
  record Stated(ObjectName name, Set<String> servers) {

    private static Stated of(ApiObject object) {
      return new Stated(
          new ObjectName("", object.meta().name()),
          StorageVersionStatus.servers(object).stream()
              .map(StorageVersionStatus::server)
              .collect(Collectors.toUnmodifiableSet()));
    }
  }

  private final ApiClient client;
  private final Informer<String> servers;
  private final Informer<Stated> versions;
  private final InstantSource clock;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>(
          "storage_version_garbage_collector_storageversions",
          Duration.ofMillis(5),
          Duration.ofSeconds(1000));
  private final ControllerLoop worker =
      ControllerLoop.workers("storage-version-gc", 1, queue, this::sync);

  /** Not yet started. */
  public StorageVersionGarbageCollector(ControllerContext context) {
    this(
        context.client(ACCOUNT),
        context.informers().of(SERVERS),
        context.informers().of(VERSIONS),
        context.clock());
  }

  StorageVersionGarbageCollector(
      ApiClient client, Informer<String> servers, Informer<Stated> versions, InstantSource clock) {
    this.client = client;
    this.servers = servers;
    this.versions = versions;
    this.clock = clock;
  }

  @Override
  public void start() throws InterruptedException {
    servers.awaitSync();
    versions.listen(new VersionChanges());
    versions.awaitSync();
    // rare: a server has been away for an hour
    servers.listen(
        ObjectListener.ofDeletions(
            (name, server) ->
                versions.list().stream()
                    .filter(version -> version.servers().contains(server))
                    .forEach(version -> queue.add(version.name()))));
    worker.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    worker.close();
  }

  private Outcome sync(ObjectName name) throws InterruptedException {
    ApiObject stored = client.get(StorageVersionStatus.RESOURCE, "", name.name()).orElse(null);
    if (stored == null) {
      return Outcome.DONE;
    }
    List<MapNode> all = StorageVersionStatus.servers(stored);
    List<MapNode> valid = new ArrayList<>();
    for (MapNode each : all) {
      if (isServer(StorageVersionStatus.server(each))) {
        valid.add(each);
      }
    }
    return valid.size() == all.size() ? Outcome.DONE : keep(stored, valid);
  }

  /** Asks the server: the informer may be behind a Lease that has just been made. */
  private boolean isServer(String server) throws InterruptedException {
    return client
        .get(LEASES, NAMESPACE, server)
        .filter(lease -> API_SERVER.equals(lease.meta().labels().get(IDENTITY)))
        .isPresent();
  }

  private Outcome keep(ApiObject stored, List<MapNode> valid) throws InterruptedException {
    try {
      if (valid.isEmpty()) {
        client.delete(
            StorageVersionStatus.RESOURCE,
            "",
            stored.meta().name(),
            new DeleteRequest(
                stored.meta().uid(), stored.meta().resourceVersion(), Dependents.DEFAULT));
      } else {
        Written unused =
            client.updateStatus(
                StorageVersionStatus.RESOURCE,
                StorageVersionStatus.with(stored, valid, clock.instant()));
      }
      return Outcome.DONE;
    } catch (ApiException e) {
      if (e.reason() == Reason.CONFLICT || e.reason() == Reason.NOT_FOUND) {
        return Outcome.RETRY;
      }
      throw e;
    }
  }

  private final class VersionChanges implements ObjectListener<Stated> {

    @Override
    public void added(ObjectName name, Stated stated) {
      for (String server : stated.servers()) {
        if (servers.get(new ObjectName(NAMESPACE, server)).isEmpty()) {
          queue.add(name);
          return;
        }
      }
    }

    @Override
    public void updated(ObjectName name, Stated before, Stated after) {
      added(name, after);
    }

    @Override
    public void deleted(ObjectName name, Stated last) {
      // nothing is left
    }
  }
}
