package dev.keelson.authn.oidc;

import dev.keelson.authn.RemoteService;
import dev.keelson.authn.UnexpectedResponseException;
import dev.keelson.authn.jwt.Claims;
import dev.keelson.authn.jwt.InvalidJwtException;
import dev.keelson.authn.jwt.JsonText;
import dev.keelson.authn.jwt.Jwt;
import dev.keelson.authn.oidc.LoginException.Cause;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The client of a provider for the login of browsers: authorization code flow (OpenID Connect Core
 * 1.0, section 3.1) with PKCE by S256 (RFC 7636), refresh (section 12), revocation (RFC 7009) and
 * the end of the provider's session. The discovery document is read for the first login and again
 * after ten minutes. Safe for use by any thread; blocks on the provider.
 *
 * <p>The signatures of ID tokens are not verified here: the caller authenticates them, as it does
 * those of every request.
 */
public final class AuthorizationCodeClient {

  private static final Duration METADATA = Duration.ofMinutes(10);

  /** The pause between two attempts to read the document of a provider that is away. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Issuer issuer;
  private final RemoteService service;
  private final LoginOptions options;
  private final Supplier<String> secret;
  private final InstantSource clock;
  private final ReentrantLock reading = new ReentrantLock();

  /** Guarded by {@link #reading}. */
  private Optional<ProviderMetadata> metadata = Optional.empty();

  /** When the document was asked for; guarded by {@link #reading}. */
  private Instant asked = Instant.MIN;

  /**
   * What one login binds together. Each is a random text.
   *
   * @param state comes back with the authorization response
   * @param nonce comes back in the ID token
   * @param verifier shows the token endpoint that the same client asks (PKCE)
   */
  public record Login(String state, String nonce, String verifier) {}

  /**
   * The tokens of a user.
   *
   * @param identity the ID token, whose signature is not verified
   * @param refresh the refresh token; empty if the provider gave none
   */
  public record Tokens(String identity, String refresh) {}

  /**
   * @param service sends requests to the provider
   * @param secret the client's secret, empty for a public client; read on use
   */
  public AuthorizationCodeClient(
      Issuer issuer,
      RemoteService service,
      LoginOptions options,
      Supplier<String> secret,
      InstantSource clock) {
    this.issuer = issuer;
    this.service = service;
    this.options = options;
    this.secret = secret;
    this.clock = clock;
  }

  /** The issuer of the tokens. */
  public String issuer() {
    return issuer.url();
  }

  /**
   * Returns the address where the user logs in.
   *
   * @param redirect where the provider sends the browser back to
   */
  public URI authorization(Login login, String redirect) throws LoginException {
    List<String> scopes = new ArrayList<>(List.of("openid"));
    scopes.addAll(options.extraScopes());
    return withQuery(
        metadata().authorization(),
        parameters(
            "response_type", "code",
            "client_id", options.clientId(),
            "redirect_uri", redirect,
            "scope", String.join(" ", scopes),
            "state", login.state(),
            "nonce", login.nonce(),
            "code_challenge", challenge(login.verifier()),
            "code_challenge_method", "S256"));
  }

  /**
   * Exchanges a code for tokens.
   *
   * @param from the parameter {@code iss} of the authorization response; empty if it had none
   * @throws LoginException also if the response or the ID token is of another issuer, client or
   *     login
   */
  public Tokens redeem(String code, Login login, String redirect, String from)
      throws LoginException {
    ProviderMetadata provider = metadata();
    // mix-up: the code of one provider must not be sent to another (RFC 9207, section 2.4)
    if (from.isEmpty() ? provider.namesIssuer() : !from.equals(issuer.url())) {
      throw new LoginException(
          Cause.REFUSED, "the authorization response is of the issuer \"" + from + "\"");
    }
    Claims response =
        post(
            provider,
            provider.token(),
            parameters(
                "grant_type",
                "authorization_code",
                "code",
                code,
                "redirect_uri",
                redirect,
                "code_verifier",
                login.verifier()));
    Claims claims = own(response.text("id_token"));
    if (!same(claims.text("nonce"), login.nonce())) {
      throw new LoginException(Cause.REFUSED, "the ID token has another nonce");
    }
    return new Tokens(response.text("id_token"), response.text("refresh_token"));
  }

  /**
   * Gets newer tokens of the same user.
   *
   * @throws LoginException also if the provider sends no ID token, or one of another user
   */
  public Tokens refresh(Tokens before) throws LoginException {
    ProviderMetadata provider = metadata();
    Claims response =
        post(
            provider,
            provider.token(),
            parameters("grant_type", "refresh_token", "refresh_token", before.refresh()));
    Claims claims = own(response.text("id_token"));
    String subject = own(before.identity()).text("sub");
    if (subject.isEmpty() || !claims.text("sub").equals(subject)) {
      throw new LoginException(Cause.REFUSED, "the refreshed ID token is of another subject");
    }
    String rotated = response.text("refresh_token");
    return new Tokens(response.text("id_token"), rotated.isEmpty() ? before.refresh() : rotated);
  }

  /** Makes a refresh token useless, where the provider can. */
  public void revoke(String refresh) throws LoginException {
    ProviderMetadata provider = metadata();
    if (provider.revocation().isPresent()) {
      send(
          provider,
          provider.revocation().get(),
          parameters("token", refresh, "token_type_hint", "refresh_token"));
    }
  }

  /**
   * Returns the address that ends the user's session at the provider; empty if it has none. It
   * names the client and not the ID token, which would come into the history of the browser.
   *
   * @param redirect where the provider sends the browser back to
   */
  public Optional<URI> endSession(String redirect) throws LoginException {
    return metadata()
        .endSession()
        .map(
            end ->
                withQuery(
                    end,
                    parameters(
                        "client_id", options.clientId(), "post_logout_redirect_uri", redirect)));
  }

  /** When an ID token expires; empty if it cannot be read. */
  public static Optional<Instant> expiry(String identity) {
    try {
      Optional<Jwt> jwt = Jwt.parse(identity);
      return jwt.isEmpty() ? Optional.empty() : jwt.get().claims().time("exp");
    } catch (InvalidJwtException e) {
      return Optional.empty();
    }
  }

  /**
   * The claims of an ID token, which must be of this issuer and for this client (OpenID Connect
   * Core 1.0, section 3.1.3.7).
   */
  private Claims own(String identity) throws LoginException {
    Claims claims =
        Jwt.parse(identity)
            .orElseThrow(() -> new LoginException(Cause.REFUSED, "the response has no ID token"))
            .claims();
    String client = options.clientId();
    try {
      List<String> audiences = claims.texts("aud");
      boolean presented =
          claims.has("azp") ? claims.text("azp").equals(client) : audiences.size() == 1;
      if (!claims.text("iss").equals(issuer.url()) || !audiences.contains(client) || !presented) {
        throw new LoginException(
            Cause.REFUSED,
            "the ID token is of the issuer \"%s\" for %s, presented by \"%s\""
                .formatted(claims.text("iss"), audiences, claims.text("azp")));
      }
    } catch (InvalidJwtException e) {
      throw new LoginException(Cause.REFUSED, e.reason(), e);
    }
    return claims;
  }

  private ProviderMetadata metadata() throws LoginException {
    reading.lock();
    try {
      Instant now = clock.instant();
      Duration valid = metadata.isPresent() ? METADATA : PAUSE;
      if (asked == Instant.MIN || !now.isBefore(asked.plus(valid))) {
        asked = now;
        metadata = Optional.of(ProviderMetadata.read(issuer, service));
      }
      return metadata.orElseThrow(
          () ->
              new LoginException(
                  Cause.UNAVAILABLE, "the provider did not answer a moment ago: " + issuer.url()));
    } catch (IOException | InvalidJwtException e) {
      metadata = Optional.empty();
      throw new LoginException(Cause.UNAVAILABLE, String.valueOf(e.getMessage()), e);
    } finally {
      reading.unlock();
    }
  }

  private Claims post(ProviderMetadata provider, URI to, Map<String, String> form)
      throws LoginException {
    try {
      return new Claims(JsonText.object(send(provider, to, form)));
    } catch (InvalidJwtException e) {
      throw new LoginException(Cause.UNAVAILABLE, to + " answered: " + e.reason(), e);
    }
  }

  private String send(ProviderMetadata provider, URI to, Map<String, String> form)
      throws LoginException {
    Map<String, String> fields = new LinkedHashMap<>(form);
    Map<String, String> headers = new LinkedHashMap<>();
    String password = secret.get();
    if (!password.isEmpty() && !provider.postsSecret()) {
      // each of both is form-encoded first (RFC 6749, section 2.3.1)
      byte[] both =
          (encoded(options.clientId()) + ":" + encoded(password))
              .getBytes(StandardCharsets.US_ASCII);
      headers.put("Authorization", "Basic " + Base64.getEncoder().encodeToString(both));
    } else {
      fields.put("client_id", options.clientId());
      if (!password.isEmpty()) {
        fields.put("client_secret", password);
      }
    }
    try {
      return service.postForm(to, query(fields), headers);
    } catch (UnexpectedResponseException e) {
      boolean refused = e.status() == 400 || e.status() == 401;
      throw new LoginException(
          refused ? Cause.REFUSED : Cause.UNAVAILABLE, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new LoginException(Cause.UNAVAILABLE, to + ": " + e.getMessage(), e);
    }
  }

  private static URI withQuery(URI address, Map<String, String> parameters) {
    String text = address.toString();
    return URI.create(text + (address.getRawQuery() == null ? "?" : "&") + query(parameters));
  }

  private static String query(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static Map<String, String> parameters(String... namesAndValues) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      parameters.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return parameters;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static String challenge(String verifier) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static boolean same(String one, String other) {
    return MessageDigest.isEqual(
        one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }
}
