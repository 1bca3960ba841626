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
 * What a token of a service account says, read once: whose it is, when and for whom it counts, and
 * which objects must be there. Whether they are is asked with every request.
 *
 * @param text the token; empty unless it lives in a Secret, where it must be compared
 * @param legacy whether it lives in a Secret
 * @param audiences whom it is meant for, as it says
 * @param bonds the objects that it needs, the account first
 * @param lastSeen in which state of its Secret a legacy token was found, and on which day
 */
record ParsedToken(
    String text,
    boolean legacy,
    UserInfo user,
    Times times,
    List<String> audiences,
    List<BoundObject> bonds,
    AtomicReference<@Nullable Seen> lastSeen) {

  private static final String LEGACY = "kubernetes.io/serviceaccount/";
  private static final String EXTRA = "authentication.kubernetes.io/";

  /**
   * An object that must be there.
   *
   * @param uid the uid that it must have; empty for any
   */
  record BoundObject(GroupVersionResource resource, String namespace, String name, String uid) {
    /** The object as errors name it. */
    String text() {
      return resource.resource() + "/" + name;
    }
  }

  /** A state of a Secret, and the day on which it was looked at. */
  record Seen(String resourceVersion, LocalDate day) {}

  /**
   * When a token counts. Clocks may differ by a minute, as Kubernetes has it.
   *
   * @param begin the time from which it counts
   * @param issued when it was made
   * @param end after which it does not
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
        throw new InvalidJwtException("the token has expired");
      }
      Instant latest = now.plus(LEEWAY);
      if (latest.isBefore(begin)) {
        throw new InvalidJwtException("the token is not valid yet");
      }
      if (latest.isBefore(issued)) {
        throw new InvalidJwtException("the token was issued in the future");
      }
    }
  }

  /** Remembers that the Secret in this state holds the token. */
  void see(String resourceVersion, LocalDate day) {
    lastSeen.set(new Seen(resourceVersion, day));
  }

  /** What {@link #see} was told last; null if nothing. */
  @Nullable Seen seen() {
    return lastSeen.get();
  }

  /**
   * Reads a token whose signature is right.
   *
   * @throws InvalidJwtException if it does not say what it must
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
      throw new InvalidJwtException("the token does not name its account");
    }
    Map<String, List<String>> extra = new LinkedHashMap<>();
    String uid = accountClaim.text("uid");
    if (uid.isEmpty()) {
      throw new InvalidJwtException("the token has no uid of its account");
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
        new AtomicReference<>());
  }

  private static BoundObject bond(GroupVersionResource resource, String namespace, Claims reference)
      throws InvalidJwtException {
    String uid = reference.text("uid");
    if (uid.isEmpty() || reference.text("name").isEmpty()) {
      throw new InvalidJwtException("the object that the token is bound to has no name or uid");
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
      throw new InvalidJwtException("the token does not name its account and secret");
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
        new AtomicReference<>());
  }
}
