package dev.keelson.authn.oidc;

import dev.keelson.authn.jwt.Claims;
import dev.keelson.authn.jwt.InvalidJwtException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Checks the registered claims (RFC 7519, section 4.1) that every token must have. */
final class RegisteredClaims {

  /** The allowed clock skew of {@code nbf}, as in Kubernetes. */
  private static final Duration LEEWAY = Duration.ofMinutes(5);

  private RegisteredClaims() {}

  /**
   * Checks audience, expiration and not-before.
   *
   * @param wanted the accepted audiences; the token must have one of them
   * @return the expiration time of the token
   */
  static Instant check(Claims claims, List<String> wanted, Instant now) throws InvalidJwtException {
    List<String> audiences = claims.texts("aud");
    if (Collections.disjoint(audiences, wanted)) {
      throw new InvalidJwtException("expected one of audiences " + wanted + ", got " + audiences);
    }
    Instant end =
        claims
            .time("exp")
            .orElseThrow(() -> new InvalidJwtException("the token has no expiration"));
    if (!now.isBefore(end)) {
      throw new InvalidJwtException("the token has expired");
    }
    Optional<Instant> begin = claims.time("nbf");
    if (begin.isPresent() && now.plus(LEEWAY).isBefore(begin.get())) {
      throw new InvalidJwtException("the token is not valid yet");
    }
    return end;
  }
}
