package dev.keelson.registry;

import dev.keelson.api.ApiException;

/**
 * What a client says of the object that it means to change, compared with the stored one. The words
 * are those that kube-apiserver's store has for an object that is another one ({@code
 * storage.Preconditions}, {@code NewInvalidObjError}); the key in them is that of the default
 * {@code --etcd-prefix}.
 */
public final class Preconditions {

  private Preconditions() {}

  /**
   * Compares uids.
   *
   * @param sent as the client says, empty if any object is meant
   * @param stored empty if there is no object
   * @throws ApiException of reason Conflict if they differ
   */
  public static void checkUid(Collection collection, String name, String sent, String stored) {
    check(collection, name, "UID", sent, stored);
  }

  /**
   * Compares resourceVersions.
   *
   * @param sent as the client says, empty if any state is meant
   * @throws ApiException of reason Conflict if they differ
   */
  public static void checkResourceVersion(
      Collection collection, String name, String sent, String stored) {
    check(collection, name, "ResourceVersion", sent, stored);
  }

  private static void check(
      Collection collection, String name, String what, String sent, String stored) {
    if (sent.isEmpty() || sent.equals(stored)) {
      return;
    }
    String namespace = collection.namespace();
    throw ApiException.conflict(
        collection.definition().groupResource(),
        name,
        "StorageError: invalid object, Code: 4, Key: /registry/"
            + collection.type().keyPrefix()
            + (namespace.isEmpty() ? "/" : "/" + namespace + "/")
            + name
            + ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: "
            + what
            + " in precondition: "
            + sent
            + ", "
            + what
            + " in object meta: "
            + stored);
  }
}
