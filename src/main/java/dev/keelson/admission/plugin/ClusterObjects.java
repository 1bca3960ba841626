package dev.keelson.admission.plugin;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import java.util.List;
import java.util.Optional;

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
}
