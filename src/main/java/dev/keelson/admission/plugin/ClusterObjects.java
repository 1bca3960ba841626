package dev.keelson.admission.plugin;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import java.util.List;
import java.util.Optional;

/** What the built-in steps look up. Safe for use by several threads; every call may block. */
public interface ClusterObjects {

  /** A service account as it is stored now. */
  Optional<ApiObject> serviceAccount(String namespace, String name);

  /** Every priority class; may be a moment old. */
  List<ApiObject> priorityClasses();

  /** A runtime class as it is stored now. */
  Optional<ApiObject> runtimeClass(String name);

  /**
   * An object as it is at hand, or in the store if it is not at hand; {@code namespace} is empty
   * for cluster-scoped resources.
   */
  Optional<ApiObject> find(GroupVersionResource resource, String namespace, String name);

  /** A priority class as it is stored now. */
  Optional<ApiObject> priorityClass(String name);
}
