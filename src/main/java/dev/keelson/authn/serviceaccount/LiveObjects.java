package dev.keelson.authn.serviceaccount;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.authn.jwt.InvalidJwtException;
import dev.keelson.client.ResourceClient;
import dev.keelson.client.ResourceClient.Identity;
import dev.keelson.object.ApiObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
   * Requires that the object that is meant is there, and not long deleted.
   *
   * @param uid the uid it must have
   */
  void require(
      GroupVersionResource resource, String namespace, String name, String uid, Instant now)
      throws InvalidJwtException {
    // what is at hand may be older than the object; only the store can say that there is none
    Optional<Identity> found = client.identityAtHand(resource, namespace, name);
    if (found.isEmpty() || !found.get().uid().equals(uid)) {
      found = client.get(resource, namespace, name).map(Identity::of);
    }
    check(resource, name, found.orElse(null), uid, now);
  }

  /** The object, if it is there and not long deleted. */
  ApiObject get(GroupVersionResource resource, String namespace, String name, Instant now)
      throws InvalidJwtException {
    ApiObject found =
        client
            .getAtHand(resource, namespace, name)
            .or(() -> client.get(resource, namespace, name))
            .orElse(null);
    check(resource, name, found == null ? null : Identity.of(found), "", now);
    return Objects.requireNonNull(found);
  }

  private static void check(
      GroupVersionResource resource, String name, @Nullable Identity found, String uid, Instant now)
      throws InvalidJwtException {
    if (found == null) {
      throw new InvalidJwtException("there is no " + resource.resource() + "/" + name);
    }
    if (!uid.isEmpty() && !found.uid().equals(uid)) {
      throw new InvalidJwtException(
          resource.resource() + "/" + name + " has another uid than the token says");
    }
    if (!found.deletionTimestamp().isEmpty()
        && Instant.parse(found.deletionTimestamp()).isBefore(now.minus(LEEWAY))) {
      throw new InvalidJwtException(resource.resource() + "/" + name + " has been deleted");
    }
  }
}
