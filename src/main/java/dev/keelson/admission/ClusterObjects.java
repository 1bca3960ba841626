package dev.keelson.admission;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The lookups of the admission plugins. Safe for use by several threads; every call may block. */
public interface ClusterObjects {

  /** Returns the stored service account. */
  Optional<ApiObject> serviceAccount(String namespace, String name);

  /** Returns all priority classes, possibly slightly stale. */
  List<ApiObject> priorityClasses();

  /** Returns the stored runtime class. */
  Optional<ApiObject> runtimeClass(String name);

  /**
   * Returns a cached object, or the stored one if it is not cached; {@code namespace} is empty for
   * cluster-scoped resources.
   */
  Optional<ApiObject> find(GroupVersionResource resource, String namespace, String name);

  /** Returns the stored priority class. */
  Optional<ApiObject> priorityClass(String name);

  /**
   * Returns all objects of a resource, possibly slightly stale, in order of their names; {@code
   * namespace} is empty for all namespaces. An object is decoded when it is asked for.
   */
  List<Supplier<ApiObject>> list(GroupVersionResource resource, String namespace);
}
