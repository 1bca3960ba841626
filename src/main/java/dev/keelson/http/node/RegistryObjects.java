package dev.keelson.http.node;

import dev.keelson.api.FieldSelector;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.LabelSelector;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.schema.ResourceCatalog;
import java.util.List;

/**
 * The objects of the registry.
 *
 * @param catalog the served resources
 * @param registry where they are
 */
public record RegistryObjects(ResourceCatalog catalog, GenericRegistry registry)
    implements ClusterObjects {

  private static final GroupVersionResource SLICES =
      new GroupVersionResource("discovery.k8s.io", "v1", "endpointslices");

  @Override
  public MapNode pod(String namespace, String name) {
    return get("pods", namespace, name);
  }

  @Override
  public MapNode node(String name) {
    return get("nodes", "", name);
  }

  @Override
  public MapNode service(String namespace, String name) {
    return get("services", namespace, name);
  }

  @Override
  public List<MapNode> endpointSlices(String namespace, String service) {
    ListQuery query =
        new ListQuery(
            LabelSelector.parse("kubernetes.io/service-name=" + service), FieldSelector.EVERYTHING);
    return registry
        .list(collection(SLICES, namespace), query, new ListPage(ReadVersion.ANY, 0, ""))
        .all()
        .stream()
        .map(registry::served)
        .map(ApiObject::root)
        .toList();
  }

  @Override
  public MapNode endpoints(String namespace, String service) {
    return registry
        .find(collection(core("endpoints"), namespace), service)
        .map(found -> registry.served(found).root())
        .orElse(MapNode.EMPTY);
  }

  private MapNode get(String resource, String namespace, String name) {
    return registry.served(registry.get(collection(core(resource), namespace), name)).root();
  }

  private static GroupVersionResource core(String resource) {
    return GroupVersion.CORE_V1.resource(resource);
  }

  private Collection collection(GroupVersionResource resource, String namespace) {
    return new Collection(catalog.snapshot().find(resource).orElseThrow(), namespace);
  }
}
