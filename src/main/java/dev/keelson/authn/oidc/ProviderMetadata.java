package dev.keelson.authn.oidc;

import dev.keelson.authn.RemoteService;
import dev.keelson.authn.jwt.Claims;
import dev.keelson.authn.jwt.InvalidJwtException;
import dev.keelson.authn.jwt.JsonText;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a login needs of a provider's discovery document (OpenID Connect Discovery 1.0, section 3).
 *
 * @param authorization the authorization endpoint
 * @param token the token endpoint
 * @param revocation the revocation endpoint (RFC 7009), if there is one
 * @param endSession the address that ends the session at the provider (OpenID Connect RP-Initiated
 *     Logout 1.0), if there is one
 * @param postsSecret whether the token endpoint takes the client's secret in the form only
 * @param namesIssuer whether authorization responses have the parameter {@code iss} (RFC 9207)
 */
record ProviderMetadata(
    URI authorization,
    URI token,
    Optional<URI> revocation,
    Optional<URI> endSession,
    boolean postsSecret,
    boolean namesIssuer) {

  /**
   * Reads the document.
   *
   * @throws InvalidJwtException if it is of another issuer, or lacks a required endpoint
   */
  static ProviderMetadata read(Issuer issuer, RemoteService service)
      throws IOException, InvalidJwtException {
    URI address = RemoteKeySet.uri(issuer.discoveryUrl());
    Claims document = new Claims(JsonText.object(service.get(address, Map.of())));
    if (!document.text("issuer").equals(issuer.url())) {
      throw new InvalidJwtException(
          address + " has a different issuer \"" + document.text("issuer") + "\"");
    }
    // the default is client_secret_basic
    List<String> methods = document.texts("token_endpoint_auth_methods_supported");
    return new ProviderMetadata(
        required(document, "authorization_endpoint"),
        required(document, "token_endpoint"),
        optional(document, "revocation_endpoint"),
        optional(document, "end_session_endpoint"),
        methods.contains("client_secret_post") && !methods.contains("client_secret_basic"),
        Boolean.TRUE.equals(
            document.values().get("authorization_response_iss_parameter_supported")));
  }

  private static URI required(Claims document, String name) throws InvalidJwtException {
    return optional(document, name)
        .orElseThrow(() -> new InvalidJwtException("the provider has no " + name));
  }

  private static Optional<URI> optional(Claims document, String name) throws InvalidJwtException {
    String text = document.text(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    URI uri = RemoteKeySet.uri(text);
    if (!"https".equals(uri.getScheme()) || uri.getHost() == null || uri.getFragment() != null) {
      throw new InvalidJwtException(name + " is not an https:// URL: \"" + text + "\"");
    }
    return Optional.of(uri);
  }
}
