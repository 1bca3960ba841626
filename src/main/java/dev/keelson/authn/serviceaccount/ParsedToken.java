package dev.keelson.authn.serviceaccount;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.authn.jwt.Claims;
import dev.keelson.authn.jwt.InvalidJwtException;
import dev.keelson.authn.jwt.Jwt;
import dev.keelson.request.UserInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The parsed claims of a service account token with a verified signature: its user, validity,
 * audiences and bound objects. Whether the bound objects exist is checked on every request.
 *
 * @param text the token; empty unless it is a legacy token, which is compared with its Secret
 * @param legacy whether it is a legacy token, stored in a Secret
 * @param audiences the audiences of its {@code aud} claim
 * @param bonds the bound objects, the service account first
 * @param staleFrom the time of its {@code warnafter} claim, after which the token should have been
 *     renewed; {@link Instant#MAX} without one
 * @param lastSeen what the last check of a legacy token found
 */
record ParsedToken(
    String text,
    boolean legacy,
    UserInfo user,
    Times times,
    List<String> audiences,
    List<BoundObject> bonds,
    Instant staleFrom,
    AtomicReference<@Nullable Seen> lastSeen) {

  private static final String LEGACY = "kubernetes.io/serviceaccount/";
  private static final String EXTRA = "authentication.kubernetes.io/";

  /**
   * An object that must exist.
   *
   * @param uid the required uid; empty for any
   */
  record BoundObject(GroupVersionResource resource, String namespace, String name, String uid) {}

  /**
   * A check of a legacy token.
   *
   * @param secret the resourceVersion of the Secret that held it
   * @param account the resourceVersion of the service account
   * @param day of the check
   * @param generated whether it was made for the account, which names its Secret
   */
  record Seen(String secret, String account, LocalDate day, boolean generated) {}

  /**
   * The validity of a token, with a clock skew of one minute as in Kubernetes.
   *
   * @param begin the {@code nbf} claim
   * @param issued the {@code iat} claim
   * @param end the {@code exp} claim
   */
  record Times(Instant begin, Instant issued, Instant end) {

    private static final Duration LEEWAY = Duration.ofMinutes(1);

    static Times of(Claims claims) throws InvalidJwtException {
      return new Times(
          claims.time("nbf").orElse(Instant.EPOCH),
          claims.time("iat").orElse(Instant.EPOCH),
          claims.time("exp").orElse(Instant.MAX));
    }

    void check(Instant now) throws InvalidJwtException {
      Instant earliest = now.minus(LEEWAY);
      if (earliest.isAfter(end)) {
        throw new InvalidJwtException("service account token has expired");
      }
      Instant latest = now.plus(LEEWAY);
      if (latest.isBefore(begin)) {
        throw new InvalidJwtException("service account token is not valid yet");
      }
      if (latest.isBefore(issued)) {
        throw new InvalidJwtException("service account token is issued in the future");
      }
    }
  }

  /** Records a check that the token has passed. */
  void see(Seen check) {
    lastSeen.set(check);
  }

  /** The last recorded check; null if none. */
  @Nullable Seen seen() {
    return lastSeen.get();
  }

  /**
   * Parses the claims of a token with a verified signature.
   *
   * @throws InvalidJwtException if a required claim is missing
   */
  static ParsedToken of(Jwt jwt, boolean legacy) throws InvalidJwtException {
    return legacy ? ofSecret(jwt) : bound(jwt.claims());
  }

  private static ParsedToken bound(Claims claims) throws InvalidJwtException {
    Claims own = claims.object("kubernetes.io");
    Claims accountClaim = own.object("serviceaccount");
    ServiceAccountName account =
        new ServiceAccountName(own.text("namespace"), accountClaim.text("name"));
    if (account.namespace().isEmpty()
        || account.name().isEmpty()
        || !claims.text("sub").equals(account.userName())) {
      throw new InvalidJwtException("the token does not name its service account");
    }
    Map<String, List<String>> extra = new LinkedHashMap<>();
    String uid = accountClaim.text("uid");
    if (uid.isEmpty()) {
      throw new InvalidJwtException("the token has no uid of its service account");
    }
    List<BoundObject> bonds = new ArrayList<>();
    bonds.add(new BoundObject(BoundResources.ACCOUNTS, account.namespace(), account.name(), uid));
    if (own.has("secret")) {
      bonds.add(bond(BoundResources.SECRETS, account.namespace(), own.object("secret")));
    }
    if (own.has("pod")) {
      BoundObject pod = bond(BoundResources.PODS, account.namespace(), own.object("pod"));
      bonds.add(pod);
      extra.put(EXTRA + "pod-name", List.of(pod.name()));
      extra.put(EXTRA + "pod-uid", List.of(pod.uid()));
    }
    if (own.has("node")) {
      Claims node = own.object("node");
      if (!own.has("pod")) {
        bonds.add(bond(BoundResources.NODES, "", node));
      }
      extra.put(EXTRA + "node-name", List.of(node.text("name")));
      if (!node.text("uid").isEmpty()) {
        extra.put(EXTRA + "node-uid", List.of(node.text("uid")));
      }
    }
    if (!claims.text("jti").isEmpty()) {
      extra.put(EXTRA + "credential-id", List.of("JTI=" + claims.text("jti")));
    }
    return new ParsedToken(
        "",
        /* legacy= */ false,
        account.user(uid, extra),
        Times.of(claims),
        List.copyOf(claims.texts("aud")),
        List.copyOf(bonds),
        own.time("warnafter").orElse(Instant.MAX),
        new AtomicReference<>());
  }

  private static BoundObject bond(GroupVersionResource resource, String namespace, Claims reference)
      throws InvalidJwtException {
    String uid = reference.text("uid");
    if (uid.isEmpty() || reference.text("name").isEmpty()) {
      throw new InvalidJwtException("the bound object reference has no name or uid");
    }
    return new BoundObject(resource, namespace, reference.text("name"), uid);
  }

  private static ParsedToken ofSecret(Jwt jwt) throws InvalidJwtException {
    Claims claims = jwt.claims();
    ServiceAccountName account =
        new ServiceAccountName(
            claims.text(LEGACY + "namespace"), claims.text(LEGACY + "service-account.name"));
    String uid = claims.text(LEGACY + "service-account.uid");
    String secretName = claims.text(LEGACY + "secret.name");
    if (account.namespace().isEmpty()
        || account.name().isEmpty()
        || uid.isEmpty()
        || secretName.isEmpty()
        || !claims.text("sub").equals(account.userName())) {
      throw new InvalidJwtException("the token does not name its service account and secret");
    }
    return new ParsedToken(
        jwt.token(),
        /* legacy= */ true,
        account.user(uid, Map.of()),
        Times.of(claims),
        List.copyOf(claims.texts("aud")),
        List.of(
            new BoundObject(BoundResources.ACCOUNTS, account.namespace(), account.name(), uid),
            new BoundObject(BoundResources.SECRETS, account.namespace(), secretName, "")),
        Instant.MAX,
        new AtomicReference<>());
  }
}
