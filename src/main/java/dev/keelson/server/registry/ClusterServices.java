package dev.keelson.server.registry;

import dev.keelson.api.FieldSelector;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.LabelSelector;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.webhook.ServiceSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Services and EndpointSlices of the local registry, as the watch cache has them. */
public final class ClusterServices implements ServiceSource {

  private static final GroupVersionResource SERVICES = GroupVersion.CORE_V1.resource("services");
  private static final GroupVersionResource SLICES =
      new GroupVersionResource("discovery.k8s.io", "v1", "endpointslices");
  private static final String SERVICE_NAME = "kubernetes.io/service-name";

  private final ResourceCatalog catalog;
  private final Supplier<GenericRegistry> registry;

  /** Creates a source; {@code registry} is called on first use. */
  public ClusterServices(ResourceCatalog catalog, Supplier<GenericRegistry> registry) {
    this.catalog = catalog;
    this.registry = registry;
  }

  @Override
  public Optional<ApiObject> service(String namespace, String name) {
    GenericRegistry known = registry.get();
    Collection services = collection(SERVICES, namespace);
    return known.find(services, name, ReadVersion.ANY).map(known::served);
  }

  @Override
  public List<ApiObject> endpointSlices(String namespace, String name) {
    GenericRegistry known = registry.get();
    ListQuery query =
        new ListQuery(LabelSelector.parse(SERVICE_NAME + "=" + name), FieldSelector.EVERYTHING);
    return known
        .list(collection(SLICES, namespace), query, new ListPage(ReadVersion.ANY, 0, ""))
        .all()
        .stream()
        .map(known::served)
        .toList();
  }

  private Collection collection(GroupVersionResource resource, String namespace) {
    return new Collection(catalog.snapshot().find(resource).orElseThrow(), namespace);
  }
}
