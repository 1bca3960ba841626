package dev.keelson.client;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The API as code of this process uses it. Objects are in the version that the resource names.
 * Every call blocks; errors are {@link dev.keelson.api.ApiException}s with the reasons that a
 * client over HTTP would get.
 */
public interface ResourceClient {

  /**
   * The object, or empty if there is none; {@code namespace} is empty for cluster-scoped resources.
   */
  Optional<ApiObject> get(GroupVersionResource resource, String namespace, String name);

  /**
   * The object as it is at hand, which may be a moment older than the newest state; never waits for
   * the store if it need not. What this process itself has answered to end identities (a delete of
   * an account, Secret, pod or node, a change of a Secret) is seen in any case.
   */
  default Optional<ApiObject> getAtHand(
      GroupVersionResource resource, String namespace, String name) {
    return get(resource, namespace, name);
  }

  /**
   * Which object is at hand under a name, and whether it is being deleted; for callers who ask so
   * often that the whole object costs too much.
   *
   * @param uid its uid
   * @param deletionTimestamp when its deletion began plus its grace period; empty if it stays
   * @param resourceVersion its state
   */
  record Identity(String uid, String deletionTimestamp, String resourceVersion) {
    /** That of an object. */
    public static Identity of(ApiObject object) {
      return new Identity(
          object.meta().uid(), object.meta().deletionTimestamp(), object.meta().resourceVersion());
    }
  }

  /** The identity of the object that {@link #getAtHand} gives. */
  default Optional<Identity> identityAtHand(
      GroupVersionResource resource, String namespace, String name) {
    return getAtHand(resource, namespace, name).map(Identity::of);
  }

  /**
   * The namespace in which the object with this name and uid is, as far as is known; empty if it is
   * in none. Looks at every object of the resource.
   */
  Optional<String> namespaceOf(GroupVersionResource resource, String name, String uid);

  /** Creates an object and returns it as it was stored. */
  ApiObject create(GroupVersionResource resource, String namespace, ApiObject object);

  /**
   * Changes an object that exists. {@code edit} may be called again on a newer state; what it
   * returns unchanged is not written.
   *
   * @return the object as it now is, or empty if there is none
   */
  Optional<ApiObject> change(
      GroupVersionResource resource, String namespace, String name, UnaryOperator<ApiObject> edit);

  /**
   * Deletes an object, or begins to.
   *
   * @throws dev.keelson.api.ApiException of reason NotFound, or Conflict if it is not the one that
   *     the request names
   */
  void delete(GroupVersionResource resource, String namespace, String name, DeleteRequest request);

  /**
   * Changes the status of an object that exists, and nothing else of it; like {@link #change}.
   *
   * @return the object as it now is, or empty if there is none
   */
  Optional<ApiObject> changeStatus(
      GroupVersionResource resource, String namespace, String name, UnaryOperator<ApiObject> edit);

  /** Deletes every object of a resource in a namespace; what they own goes after them. */
  Remaining deleteAll(GroupVersionResource resource, String namespace);

  /**
   * Takes a finalizer out of the spec of a namespace whose deletion has begun, so that it goes if
   * nothing else holds it.
   */
  void finalizeNamespace(String name, String finalizer);
}
