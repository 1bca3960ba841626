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

  /** How far clocks may differ for the beginning of a token, as in Kubernetes. */
  private static final Duration LEEWAY = Duration.ofMinutes(5);

  private RegisteredClaims() {}

  /**
   * Checks audience and times.
   *
   * @param wanted the audiences of which the token must name one
   * @return the time at which the token expires
   */
  static Instant check(Claims claims, List<String> wanted, Instant now) throws InvalidJwtException {
    List<String> audiences = claims.texts("aud");
    if (Collections.disjoint(audiences, wanted)) {
      throw new InvalidJwtException("expected one of audiences " + wanted + ", got " + audiences);
    }
    Instant end =
        claims.time("exp").orElseThrow(() -> new InvalidJwtException("the token has no end"));
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
