package dev.keelson.testing;

import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/** Lookups of objects that a test adds. Safe for use by several threads. */
public final class KnownObjects implements ClusterObjects {

  private final Map<String, ApiObject> objects = new ConcurrentSkipListMap<>();

  /** Adds or replaces an object. */
  public KnownObjects put(String version, String resource, ApiObject object) {
    GroupVersionResource gvr = GroupVersion.parse(version).resource(resource);
    objects.put(key(gvr, object.meta().namespace()) + object.meta().name(), object);
    return this;
  }

  private static String key(GroupVersionResource resource, String namespace) {
    return resource.groupResource() + "/" + namespace + "/";
  }

  @Override
  public Optional<ApiObject> serviceAccount(String namespace, String name) {
    return find(GroupVersion.CORE_V1.resource("serviceaccounts"), namespace, name);
  }

  @Override
  public List<ApiObject> priorityClasses() {
    return list(new GroupVersionResource("scheduling.k8s.io", "v1", "priorityclasses"), "").stream()
        .map(Supplier::get)
        .toList();
  }

  @Override
  public Optional<ApiObject> runtimeClass(String name) {
    return find(new GroupVersionResource("node.k8s.io", "v1", "runtimeclasses"), "", name);
  }

  @Override
  public Optional<ApiObject> find(GroupVersionResource resource, String namespace, String name) {
    return Optional.ofNullable(objects.get(key(resource, namespace) + name));
  }

  @Override
  public Optional<ApiObject> priorityClass(String name) {
    return find(new GroupVersionResource("scheduling.k8s.io", "v1", "priorityclasses"), "", name);
  }

  @Override
  public List<Supplier<ApiObject>> list(GroupVersionResource resource, String namespace) {
    String prefix = namespace.isEmpty() ? resource.groupResource() + "/" : key(resource, namespace);
    return objects.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(prefix))
        .<Supplier<ApiObject>>map(entry -> entry::getValue)
        .toList();
  }
}
