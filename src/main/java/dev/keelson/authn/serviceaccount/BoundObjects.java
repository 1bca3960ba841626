package dev.keelson.authn.serviceaccount;

import dev.keelson.authn.jwt.InvalidJwtException;
import dev.keelson.authn.serviceaccount.ParsedToken.BoundObject;
import dev.keelson.client.ResourceClient;
import dev.keelson.client.ResourceClient.Identity;
import dev.keelson.object.ApiObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks that the objects that a token is bound to exist.
 *
 * @param client reads the API
 */
record BoundObjects(ResourceClient client) {

  /**
   * How long tokens remain valid after the deletionTimestamp of a bound object, for clients that
   * shut down.
   */
  private static final Duration LEEWAY = Duration.ofSeconds(60);

  /** As kube-apiserver says it, which names no other object than the account. */
  private static final String INVALIDATED = "service account token has been invalidated";

  /**
   * Requires that the bound object exists with its uid and was not deleted longer ago than the
   * leeway.
   */
  void require(BoundObject bond, Instant now) throws InvalidJwtException {
    // the cache may be older than the object; only the store decides that it does not exist
    Optional<Identity> found =
        client.getCachedIdentity(bond.resource(), bond.namespace(), bond.name());
    if (found.isEmpty() || !found.get().uid().equals(bond.uid())) {
      found = client.get(bond.resource(), bond.namespace(), bond.name()).map(Identity::of);
    }
    check(bond, found.orElse(null), now);
  }

  /** The resourceVersion of the cached object; empty if it is not cached. */
  String resourceVersion(BoundObject bond) {
    return client
        .getCachedIdentity(bond.resource(), bond.namespace(), bond.name())
        .map(Identity::resourceVersion)
        .orElse("");
  }

  /** Finds the object, of any uid only if none other is there. */
  Optional<ApiObject> find(BoundObject bond) {
    return client
        .getCached(bond.resource(), bond.namespace(), bond.name())
        .filter(found -> bond.uid().isEmpty() || bond.uid().equals(found.meta().uid()))
        .or(() -> client.get(bond.resource(), bond.namespace(), bond.name()));
  }

  private static void check(BoundObject bond, @Nullable Identity found, Instant now)
      throws InvalidJwtException {
    if (found == null) {
      throw new InvalidJwtException(missing(bond));
    }
    if (!bond.uid().isEmpty() && !found.uid().equals(bond.uid())) {
      throw new InvalidJwtException(otherUid(bond, found.uid()));
    }
    if (longDeleted(found, now)) {
      throw new InvalidJwtException(deleted(bond));
    }
  }

  private static String missing(BoundObject bond) {
    return isAccount(bond)
        ? bond.resource().resource() + " \"" + bond.name() + "\" not found"
        : INVALIDATED;
  }

  private static String otherUid(BoundObject bond, String uid) {
    String kind =
        switch (bond.resource().resource()) {
          case "serviceaccounts" -> "service account UID (%s) does not match claim (%s)";
          case "secrets" -> "secret UID (%s) does not match service account secret ref claim (%s)";
          case "pods" -> "pod UID (%s) does not match service account pod ref claim (%s)";
          default -> "node UID (%s) does not match service account node ref claim (%s)";
        };
    return kind.formatted(uid, bond.uid());
  }

  private static String deleted(BoundObject bond) {
    return isAccount(bond)
        ? "service account " + bond.namespace() + "/" + bond.name() + " has been deleted"
        : INVALIDATED;
  }

  private static boolean isAccount(BoundObject bond) {
    return bond.resource().resource().equals("serviceaccounts");
  }

  private static boolean longDeleted(Identity found, Instant now) {
    return !found.deletionTimestamp().isEmpty()
        && Instant.parse(found.deletionTimestamp()).isBefore(now.minus(LEEWAY));
  }
}
