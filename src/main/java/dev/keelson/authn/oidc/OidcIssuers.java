package dev.keelson.authn.oidc;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.Authenticator;
import dev.keelson.authn.Credentials;
import dev.keelson.authn.jwt.Jwt;
import java.util.Map;
import java.util.Optional;

/**
 * Several providers at once: a token is for the one that it names.
 *
 * @param issuers by the names that they have in tokens
 */
public record OidcIssuers(Map<String, OidcTokens> issuers) implements Authenticator {

  public OidcIssuers {
    issuers = Map.copyOf(issuers);
  }

  @Override
  public Authentication authenticate(Credentials credentials) {
    Optional<String> token = issuers.isEmpty() ? Optional.empty() : credentials.bearerToken();
    Optional<Jwt> jwt = token.flatMap(Jwt::parse);
    if (jwt.isEmpty()) {
      return new Authentication.NotMine();
    }
    OidcTokens named = issuers.get(jwt.get().claims().text("iss"));
    return named == null ? new Authentication.NotMine() : named.authenticate(credentials);
  }
}
