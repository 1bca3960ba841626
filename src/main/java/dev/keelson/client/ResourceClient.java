package dev.keelson.client;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A client of the API inside the process. Objects have the version of the resource. Every call
 * blocks; errors are {@link dev.keelson.api.ApiException}s with the reasons of HTTP clients.
 */
public interface ResourceClient {

  /**
   * The same client with writes of another field manager; itself if others decide about that.
   *
   * @param fieldManager the name in managedFields
   */
  default ResourceClient as(String fieldManager) {
    return this;
  }

  /**
   * Gets an object; empty if it does not exist. {@code namespace} is empty for cluster-scoped
   * resources.
   */
  Optional<ApiObject> get(GroupVersionResource resource, String namespace, String name);

  /**
   * Gets a cached object, which may be slightly stale; does not wait for the store if it is cached.
   * Writes of this process that invalidate tokens (a delete of a service account, Secret, pod or
   * node, an update of a Secret) are always visible.
   */
  default Optional<ApiObject> getCached(
      GroupVersionResource resource, String namespace, String name) {
    return get(resource, namespace, name);
  }

  /**
   * The identity and deletion state of a cached object, cheaper than the object.
   *
   * @param uid the uid
   * @param deletionTimestamp the deletionTimestamp, or empty
   * @param resourceVersion the resourceVersion
   */
  record Identity(String uid, String deletionTimestamp, String resourceVersion) {
    /** Returns the identity of an object. */
    public static Identity of(ApiObject object) {
      return new Identity(
          object.meta().uid(), object.meta().deletionTimestamp(), object.meta().resourceVersion());
    }
  }

  /** Gets the identity of the object that {@link #getCached} returns. */
  default Optional<Identity> getCachedIdentity(
      GroupVersionResource resource, String namespace, String name) {
    return getCached(resource, namespace, name).map(Identity::of);
  }

  /**
   * Finds the namespace of the object with this name and uid; empty if there is none. Scans all
   * objects of the resource.
   */
  Optional<String> namespaceOf(GroupVersionResource resource, String name, String uid);

  /**
   * Lists the newest state of the objects of a resource in the order of their keys; {@code
   * namespace} is empty for all namespaces, or a cluster-scoped resource.
   */
  List<ApiObject> list(GroupVersionResource resource, String namespace);

  /** The number of objects that {@link #list} would return; reads none of them. */
  default int count(GroupVersionResource resource, String namespace) {
    return list(resource, namespace).size();
  }

  /** Creates an object and returns the stored one. */
  ApiObject create(GroupVersionResource resource, String namespace, ApiObject object);

  /**
   * Updates an existing object. {@code edit} may be called again after a conflict; an unchanged
   * object is not written.
   *
   * @return the updated object, or empty if it does not exist
   */
  Optional<ApiObject> change(
      GroupVersionResource resource, String namespace, String name, UnaryOperator<ApiObject> edit);

  /**
   * Deletes an object, or starts its deletion.
   *
   * @throws dev.keelson.api.ApiException of reason NotFound, or Conflict if a precondition fails
   */
  void delete(GroupVersionResource resource, String namespace, String name, DeleteRequest request);

  /**
   * Updates the status of an existing object; like {@link #change}.
   *
   * @return the updated object, or empty if it does not exist
   */
  Optional<ApiObject> changeStatus(
      GroupVersionResource resource, String namespace, String name, UnaryOperator<ApiObject> edit);

  /** Deletes all objects of a resource in a namespace, with background propagation. */
  Remaining deleteAll(GroupVersionResource resource, String namespace);

  /**
   * Removes a finalizer from the spec of a terminating namespace, which is deleted after the last
   * one.
   */
  void finalizeNamespace(String name, String finalizer);
}
