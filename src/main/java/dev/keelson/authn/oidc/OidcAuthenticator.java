package dev.keelson.authn.oidc;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.TokenDigest;
import dev.keelson.authn.jwt.Jwt;
import dev.keelson.cache.ExpiringCache;
import dev.keelson.request.UserInfo;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Authenticates ID tokens with the authenticator of their issuer. The issuer of a token, or that it
 * has none, is cached for one minute, since most tokens, such as those of service accounts, have no
 * configured issuer. Safe for use by several threads; may block on a provider.
 */
public final class OidcAuthenticator implements Authenticator {

  /** Maximum number of tokens in the cache. */
  static final int MAX_CACHED = 4096;

  private static final Duration TTL = Duration.ofMinutes(1);

  /** The cached issuer of a token that has no configured issuer, or is not a JWT. */
  private static final String NO_ISSUER = "";

  private final Map<String, OidcIssuerAuthenticator> issuers;
  private final Function<String, Optional<Jwt>> parser;
  private final InstantSource clock;
  private final ExpiringCache<TokenDigest, String> cache;

  /**
   * @param issuers with distinct URLs
   * @param parser parses a JWT; empty if the text is not one
   */
  public OidcAuthenticator(
      Collection<OidcIssuerAuthenticator> issuers,
      Function<String, Optional<Jwt>> parser,
      InstantSource clock) {
    this.issuers =
        issuers.stream()
            .collect(Collectors.toUnmodifiableMap(OidcIssuerAuthenticator::url, one -> one));
    this.parser = parser;
    this.clock = clock;
    this.cache = new ExpiringCache<>(MAX_CACHED, clock);
  }

  /**
   * Asks every provider whether it is there; blocks on each.
   *
   * @return why the tokens of one of them cannot be verified; empty if all are there
   */
  public Optional<String> failure() {
    return issuers.values().stream()
        .map(OidcIssuerAuthenticator::failure)
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** The URLs of the issuers. */
  public Set<String> urls() {
    return issuers.keySet();
  }

  @Override
  public Authentication authenticate(Credentials credentials) {
    Optional<TokenDigest> digest = issuers.isEmpty() ? Optional.empty() : credentials.tokenDigest();
    if (digest.isEmpty()) {
      return new Authentication.NoOpinion();
    }
    Optional<String> before = cache.get(digest.get());
    if (before.isPresent()) {
      OidcIssuerAuthenticator issuer = issuers.get(before.get());
      if (issuer == null) {
        return new Authentication.NoOpinion();
      }
      Optional<UserInfo> user = issuer.cached(digest.get());
      if (user.isPresent()) {
        return new Authentication.Authenticated(user.get());
      }
    }
    return read(credentials, digest.get());
  }

  private Authentication read(Credentials credentials, TokenDigest digest) {
    Optional<Jwt> jwt = credentials.bearerToken().flatMap(parser);
    OidcIssuerAuthenticator issuer =
        jwt.map(token -> issuers.get(Issuer.of(token.claims()))).orElse(null);
    cache.put(digest, issuer == null ? NO_ISSUER : issuer.url(), TTL);
    return issuer == null || jwt.isEmpty()
        ? new Authentication.NoOpinion()
        : issuer.verify(jwt.get(), digest, clock.instant());
  }
}
