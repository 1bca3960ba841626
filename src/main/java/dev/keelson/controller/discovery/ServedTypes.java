package dev.keelson.controller.discovery;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.NameListener;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.manager.SharedInformers;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/**
 * A catalog of the resources that an API server serves, by its aggregated discovery. It is read
 * after each change of a CustomResourceDefinition or an APIService, and twice a minute as
 * kube-controller-manager does. Of its resources only names, kinds, scopes and verbs are known.
 */
public final class ServedTypes implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofSeconds(30);
  private static final String ACCEPT =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

  /**
   * What changes the served resources; of these objects nothing is kept but that they are there.
   */
  private static final List<InformerType<Boolean>> CAUSES =
      List.of(
          cause("apiextensions.k8s.io", "customresourcedefinitions"),
          cause("apiregistration.k8s.io", "apiservices"));

  private final ApiClient client;
  private final SharedInformers informers;
  private final ResourceCatalog catalog = new ResourceCatalog(List.of());
  private final CountDownLatch known = new CountDownLatch(1);
  private final ControllerLoop loop = ControllerLoop.every("discovery", INTERVAL, this::refresh);

  /** The resources by their names; guarded by this object. */
  private Map<GroupVersionResource, ResourceDefinition> rows = new LinkedHashMap<>();

  private static InformerType<Boolean> cause(String group, String plural) {
    GroupVersionResource resource = new GroupVersion(group, "v1").resource(plural);
    return new InformerType<>(Selection.metadataOf(resource), object -> true, List.of());
  }

  /** Not yet following. */
  public ServedTypes(ApiClient client, SharedInformers informers) {
    this.client = client;
    this.informers = informers;
  }

  /** The catalog, which changes with the server; empty before the start. */
  public ResourceCatalog catalog() {
    return catalog;
  }

  /** The kind of the objects of a resource; empty if it is not served. */
  public Optional<String> kind(GroupVersionResource resource) {
    return catalog.snapshot().find(resource).map(ResourceDefinition::kind);
  }

  /** Begins, and waits until the resources are known; may be called again. */
  public void start() throws InterruptedException {
    loop.start();
    known.await();
    CAUSES.forEach(type -> informers.of(type).listen(NameListener.ofAny(name -> loop.signal())));
  }

  @Override
  public void close() {
    loop.close();
  }

  /** Reads what is served now. */
  public synchronized void refresh() throws InterruptedException {
    Map<GroupVersionResource, ResourceDefinition> next = new LinkedHashMap<>();
    for (String path : List.of("/api", "/apis")) {
      for (MapNode group : client.readAs(ACCEPT, path).maps("items")) {
        add(group, next);
      }
    }
    if (!next.equals(rows)) {
      rows = next;
      catalog.replaceAll(next.values());
    }
    known.countDown();
  }

  private void add(MapNode group, Map<GroupVersionResource, ResourceDefinition> next) {
    String name = group.map("metadata").text("name");
    for (MapNode each : group.maps("versions")) {
      GroupVersion version = new GroupVersion(name, each.text("version"));
      if (each.text("freshness").equals("Stale")) {
        // an aggregated server that cannot be reached: its resources have not gone
        rows.forEach(
            (resource, row) -> {
              if (GroupVersion.of(resource).equals(version)) {
                next.put(resource, row);
              }
            });
      } else {
        for (MapNode resource : each.maps("resources")) {
          ResourceDefinition row = DiscoveredRow.of(version, resource);
          next.put(row.gvr(), same(row));
        }
      }
    }
  }

  /** The row that is there already, if it says the same. */
  private ResourceDefinition same(ResourceDefinition row) {
    ResourceDefinition before = rows.get(row.gvr());
    return before != null
            && before.kind().equals(row.kind())
            && before.scope() == row.scope()
            && before.verbs().equals(row.verbs())
        ? before
        : row;
  }
}
