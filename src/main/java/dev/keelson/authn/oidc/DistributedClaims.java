package dev.keelson.authn.oidc;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.keelson.authn.RemoteService;
import dev.keelson.authn.jwt.Claims;
import dev.keelson.authn.jwt.InvalidJwtException;
import dev.keelson.authn.jwt.Jwt;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;

/**
 * Resolves distributed claims (OpenID Connect Core 1.0, section 5.6.2): if a token does not hold
 * the groups of its user, fetches them from the source that it names. The source returns a token,
 * which is verified like any other.
 */
final class DistributedClaims {

  /** Maximum number of claim issuers whose keys are cached. */
  private static final int MAX_ISSUERS = 32;

  private static final String NAMES = "_claim_names";
  private static final String SOURCES = "_claim_sources";

  private final Issuer options;
  private final RemoteService service;
  private final InstantSource clock;
  private final Cache<String, RemoteKeySet> issuers =
      Caffeine.newBuilder().maximumSize(MAX_ISSUERS).executor(Runnable::run).build();

  DistributedClaims(Issuer options, RemoteService service, InstantSource clock) {
    this.options = options;
    this.service = service;
    this.clock = clock;
  }

  /** Returns the claims with resolved groups. */
  Claims resolve(Claims claims, Instant now) throws InvalidJwtException {
    checkSources(claims);
    String claim = options.groups().claim();
    if (claim.isEmpty() || claims.values().containsKey(claim)) {
      return claims;
    }
    String source = claims.object(NAMES).text(claim);
    Claims place = claims.object(SOURCES).object(source);
    if (place.text("endpoint").isEmpty()) {
      // not distributed, or aggregated, which is not supported
      return claims;
    }
    Claims more = fetch(place, now);
    Object value = more.values().get(claim);
    if (value == null) {
      throw new InvalidJwtException("the source " + source + " does not have the claim " + claim);
    }
    Map<String, Object> all = new HashMap<>(claims.values());
    all.put(claim, value);
    return new Claims(all);
  }

  /** Every distributed claim of a token names a source of it, whether it is resolved or not. */
  private static void checkSources(Claims claims) throws InvalidJwtException {
    Object names = claims.values().get(NAMES);
    if (names == null) {
      return;
    }
    if (!(names instanceof Map<?, ?> sources)) {
      throw new InvalidJwtException("the claim " + NAMES + " is not an object");
    }
    for (Object source : sources.values()) {
      if (!(source instanceof String name) || !claims.object(SOURCES).has(name)) {
        throw new InvalidJwtException(
            "the source " + source + " of a distributed claim does not exist");
      }
    }
  }

  private Claims fetch(Claims place, Instant now) throws InvalidJwtException {
    String answer;
    try {
      String access = place.text("access_token");
      answer =
          service.get(
              RemoteKeySet.uri(place.text("endpoint")),
              access.isEmpty() ? Map.of() : Map.of("Authorization", "Bearer " + access));
    } catch (IOException e) {
      throw new InvalidJwtException("cannot fetch distributed claims: " + e.getMessage());
    }
    Jwt token =
        Jwt.parse(answer.strip())
            .orElseThrow(
                () ->
                    new InvalidJwtException(
                        "the source of the distributed claim did not return a JWT"));
    String issuer = Issuer.of(token.claims());
    if (!issuer.startsWith("https://")) {
      throw new InvalidJwtException(
          "the issuer \"" + issuer + "\" of the distributed claim is not an https:// URL");
    }
    issuers
        .get(
            issuer,
            name ->
                new RemoteKeySet(
                    name, Issuer.discoveryUrl(name), service, IssuerMetrics.NONE, clock))
        .verify(token, options.signingAlgorithms());
    Instant unused = RegisteredClaims.check(token.claims(), options.audiences(), now);
    checkSources(token.claims());
    return token.claims();
  }
}
