package dev.keelson.registry;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceCatalog;
import java.util.Optional;

/** A client that calls the registry of its own process. */
public final class LocalResourceClient implements ResourceClient {

  private static final GroupVersionResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces");

  private final ResourceCatalog catalog;
  private final GenericRegistry registry;

  public LocalResourceClient(ResourceCatalog catalog, GenericRegistry registry) {
    this.catalog = catalog;
    this.registry = registry;
  }

  @Override
  public Optional<ApiObject> get(GroupVersionResource resource, String namespace, String name) {
    return registry.find(collection(resource, namespace), name).map(registry::served);
  }

  @Override
  public ApiObject create(GroupVersionResource resource, String namespace, ApiObject object) {
    return registry.served(
        registry.create(collection(resource, namespace), object, WriteOptions.PERSIST));
  }

  @Override
  public int deleteAll(GroupVersionResource resource, String namespace) {
    Collection collection = collection(resource, namespace);
    registry.deleteCollection(
        collection, ListQuery.ALL, DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST);
    return registry.list(collection, ListQuery.ALL, ListPage.WHOLE).all().size();
  }

  @Override
  public void finalizeNamespace(String name) {
    registry.finalizeNamespace(collection(NAMESPACES, ""), name);
  }

  private Collection collection(GroupVersionResource resource, String namespace) {
    return new Collection(
        catalog
            .snapshot()
            .find(resource)
            .orElseThrow(
                () ->
                    ApiException.notFound(
                        new GroupResource(resource.group(), resource.resource()), "")),
        namespace);
  }
}
