package dev.keelson.authn.oidc;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.RemoteService;
import dev.keelson.authn.TokenDigest;
import dev.keelson.authn.jwt.Claims;
import dev.keelson.authn.jwt.InvalidJwtException;
import dev.keelson.authn.jwt.Jwt;
import dev.keelson.cache.ExpiringCache;
import dev.keelson.request.UserInfo;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Authenticates ID tokens of one OpenID Connect issuer (OpenID Connect Core 1.0, section 2; the
 * claim rules are those of kube-apiserver's {@code --oidc-*} options). {@link OidcAuthenticator}
 * passes it the tokens of the issuer. Results are cached for one minute, or until the token expires
 * if that is sooner.
 */
public final class OidcIssuerAuthenticator {

  private static final int MAX_CACHED = 4096;
  private static final Duration TTL = Duration.ofMinutes(1);

  private final Issuer options;
  private final RemoteKeySet keys;
  private final DistributedClaims distributed;
  private final IssuerMetrics metrics;
  private final ExpiringCache<TokenDigest, UserInfo> cache;

  /**
   * @param service sends requests to the provider and to sources of distributed claims
   * @param metrics records what becomes of tokens and keys
   */
  public OidcIssuerAuthenticator(
      Issuer options, RemoteService service, IssuerMetrics metrics, InstantSource clock) {
    this.options = options;
    this.metrics = metrics;
    this.keys = new RemoteKeySet(options.url(), options.discoveryUrl(), service, metrics, clock);
    this.cache = new ExpiringCache<>(MAX_CACHED, clock);
    this.distributed = new DistributedClaims(options, service, clock);
  }

  /** The {@code iss} claim of its tokens. */
  String url() {
    return options.url();
  }

  /** Asks the provider whether it is there; returns why tokens cannot be verified, if so. */
  Optional<String> failure() {
    return keys.failure()
        .map(why -> "oidc: authenticator for issuer \"" + url() + "\" is not initialized: " + why);
  }

  /** Returns the cached user of a verified token. */
  Optional<UserInfo> cached(TokenDigest digest) {
    return cache.get(digest);
  }

  /**
   * Verifies a token; may block on the provider.
   *
   * @param jwt a token of this issuer
   */
  Authentication verify(Jwt jwt, TokenDigest digest, Instant now) {
    long begin = System.nanoTime();
    Authentication found = verified(jwt, digest, now);
    metrics.verified(
        url(),
        found instanceof Authentication.Authenticated,
        Duration.ofNanos(System.nanoTime() - begin));
    return found;
  }

  private Authentication verified(Jwt jwt, TokenDigest digest, Instant now) {
    try {
      keys.verify(jwt, options.signingAlgorithms());
      Claims claims = jwt.claims();
      Instant end = RegisteredClaims.check(claims, options.audiences(), now);
      UserInfo user = user(distributed.resolve(claims, now));
      Duration left = Duration.between(now, end);
      cache.put(digest, user, left.compareTo(TTL) < 0 ? left : TTL);
      return new Authentication.Authenticated(user);
    } catch (InvalidJwtException e) {
      return new Authentication.Rejected("oidc: " + e.reason());
    }
  }

  private UserInfo user(Claims claims) throws InvalidJwtException {
    String name = options.expressions().username() == null ? name(claims) : "";
    for (Map.Entry<String, String> required : options.requiredClaims().entrySet()) {
      if (!required.getValue().equals(claims.values().get(required.getKey()))) {
        throw new InvalidJwtException(
            "the required claim " + required.getKey() + " is missing or has a different value");
      }
    }
    Issuer.Mapping mapping = options.groups();
    List<String> groups =
        mapping.claim().isEmpty()
            ? List.of()
            : claims.texts(mapping.claim()).stream()
                .map(group -> mapping.prefix() + group)
                .toList();
    return options.expressions().user(claims, new UserInfo(name, uid(claims), groups, Map.of()));
  }

  private String uid(Claims claims) throws InvalidJwtException {
    String claim = options.uidClaim();
    if (claim.isEmpty()) {
      return "";
    }
    Object uid = claims.values().get(claim);
    if (!claims.values().containsKey(claim) || !(uid == null || uid instanceof String)) {
      throw new InvalidJwtException("the claim " + claim + " is missing or not a string");
    }
    return claims.text(claim);
  }

  private String name(Claims claims) throws InvalidJwtException {
    String claim = options.username().claim();
    String name = claims.text(claim);
    if (name.isEmpty()) {
      throw new InvalidJwtException("the claim " + claim + " is missing, empty or not a string");
    }
    if (claim.equals("email")
        && claims.values().containsKey("email_verified")
        && !Boolean.TRUE.equals(claims.values().get("email_verified"))) {
      throw new InvalidJwtException("the e-mail address is not verified");
    }
    return options.username().prefix() + name;
  }
}
