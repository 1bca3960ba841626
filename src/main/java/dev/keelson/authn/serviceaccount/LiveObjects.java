package dev.keelson.authn.serviceaccount;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.authn.jwt.InvalidJwtException;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Looks at the objects that a token is bound to.
 *
 * @param client reads the API
 */
record LiveObjects(ResourceClient client) {

  static final GroupVersionResource ACCOUNTS = GroupVersion.CORE_V1.resource("serviceaccounts");
  static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  static final GroupVersionResource SECRETS = GroupVersion.CORE_V1.resource("secrets");
  static final GroupVersionResource NODES = GroupVersion.CORE_V1.resource("nodes");

  /** How long after its deletion time an object still counts: its last words may be underway. */
  private static final Duration LEEWAY = Duration.ofSeconds(60);

  /**
   * The object if it is the one that is meant: there, with the uid, and not long deleted.
   *
   * @param uid the uid it must have; empty for any
   */
  ApiObject require(
      GroupVersionResource resource, String namespace, String name, String uid, Instant now)
      throws InvalidJwtException {
    // what is at hand may be older than the object; only the store can say that there is none
    Optional<ApiObject> atHand = client.getAtHand(resource, namespace, name);
    ApiObject found =
        atHand.isPresent() && fits(atHand.get(), uid)
            ? atHand.get()
            : client.get(resource, namespace, name).orElse(null);
    if (found == null) {
      throw new InvalidJwtException("there is no " + resource.resource() + "/" + name);
    }
    if (!fits(found, uid)) {
      throw new InvalidJwtException(
          resource.resource() + "/" + name + " has another uid than the token says");
    }
    if (found.meta().deleting()
        && Instant.parse(found.meta().deletionTimestamp()).isBefore(now.minus(LEEWAY))) {
      throw new InvalidJwtException(resource.resource() + "/" + name + " has been deleted");
    }
    return found;
  }

  private static boolean fits(ApiObject object, String uid) {
    return uid.isEmpty() || object.meta().uid().equals(uid);
  }
}
