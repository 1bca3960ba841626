package dev.keelson.authn.serviceaccount;

import dev.keelson.authn.jwt.InvalidJwtException;
import dev.keelson.authn.serviceaccount.ParsedToken.BoundObject;
import dev.keelson.client.ResourceClient;
import dev.keelson.client.ResourceClient.Identity;
import dev.keelson.object.ApiObject;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the objects that a token is bound to.
 *
 * @param client reads the API
 */
record BoundObjects(ResourceClient client) {

  /** How long after its deletion time an object still counts: its last words may be underway. */
  private static final Duration LEEWAY = Duration.ofSeconds(60);

  /** Requires that the object that is meant is there, and not long deleted. */
  void require(BoundObject bond, Instant now) throws InvalidJwtException {
    // what is at hand may be older than the object; only the store can say that there is none
    Optional<Identity> found =
        client.identityAtHand(bond.resource(), bond.namespace(), bond.name());
    if (found.isEmpty() || !found.get().uid().equals(bond.uid())) {
      found = client.get(bond.resource(), bond.namespace(), bond.name()).map(Identity::of);
    }
    check(bond, found.orElse(null), now);
  }

  /** Whether the object at hand is in the state that was seen on {@code day}, and counts. */
  boolean unchanged(BoundObject bond, Instant now, ParsedToken.@Nullable Seen seen, LocalDate day) {
    if (seen == null || !seen.day().equals(day)) {
      return false;
    }
    Identity found =
        client.identityAtHand(bond.resource(), bond.namespace(), bond.name()).orElse(null);
    return found != null
        && found.resourceVersion().equals(seen.resourceVersion())
        && !longDeleted(found, now);
  }

  /** The object, if it is there and not long deleted. */
  ApiObject get(BoundObject bond, Instant now) throws InvalidJwtException {
    ApiObject found =
        client
            .getAtHand(bond.resource(), bond.namespace(), bond.name())
            .or(() -> client.get(bond.resource(), bond.namespace(), bond.name()))
            .orElse(null);
    check(bond, found == null ? null : Identity.of(found), now);
    return Objects.requireNonNull(found);
  }

  private static void check(BoundObject bond, @Nullable Identity found, Instant now)
      throws InvalidJwtException {
    if (found == null) {
      throw new InvalidJwtException("there is no " + bond.text());
    }
    if (!bond.uid().isEmpty() && !found.uid().equals(bond.uid())) {
      throw new InvalidJwtException(bond.text() + " has another uid than the token says");
    }
    if (longDeleted(found, now)) {
      throw new InvalidJwtException(bond.text() + " has been deleted");
    }
  }

  private static boolean longDeleted(Identity found, Instant now) {
    return !found.deletionTimestamp().isEmpty()
        && Instant.parse(found.deletionTimestamp()).isBefore(now.minus(LEEWAY));
  }
}
