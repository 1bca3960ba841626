package dev.keelson.testing;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.jose4j.json.JsonUtil;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID Connect provider at which browsers log in: authorization code with PKCE, rotating
 * refresh tokens, revocation and the end of the session. It refuses what RFC 6749 and RFC 7636 tell
 * it to refuse: a code that was used, that is of another redirect address, or whose verifier does
 * not fit; a refresh token that was used or revoked.
 */
public final class LoginProvider implements AutoCloseable {

  /** The client ID. */
  public static final String CLIENT = "kubernetes";

  /** The client's secret, with letters that must be encoded. */
  public static final String SECRET = "s3cret:+%";

  private static final String KEY = "login";

  private final IdentityProvider provider = new IdentityProvider();
  private final Map<String, Grant> codes = new ConcurrentHashMap<>();
  private final Map<String, String> refreshTokens = new ConcurrentHashMap<>();
  private final AtomicInteger refreshes = new AtomicInteger();
  private final Set<String> revoked = ConcurrentHashMap.newKeySet();

  private volatile UnaryOperator<Map<String, Object>> claims = UnaryOperator.identity();
  private volatile long lifetimeSeconds = 3600;
  private volatile KeyPair signer;

  private record Grant(String redirect, String challenge, String nonce) {}

  /** Starts it on a free port. */
  public LoginProvider() {
    provider.key(KEY, "EC");
    signer = provider.key(KEY);
    provider.announce("authorization_endpoint", url() + "/authorize?tenant=a");
    provider.announce("token_endpoint", url() + "/token");
    provider.announce("revocation_endpoint", url() + "/revoke");
    provider.announce("end_session_endpoint", url() + "/end");
    provider.announce("authorization_response_iss_parameter_supported", true);
    provider.handle("/authorize", this::form);
    provider.handle("/approve", this::approved);
    provider.handle("/token", this::token);
    provider.handle("/revoke", this::revoke);
    provider.handle("/end", this::end);
  }

  /** The issuer. */
  public String url() {
    return provider.url();
  }

  /** Its certificate in PEM. */
  public String certificatePem() {
    return provider.certificatePem();
  }

  /** A TLS context that only trusts this server. */
  public SSLContext trust() {
    return provider.trust();
  }

  /** Changes the claims of the ID tokens from now on. */
  public void changeClaims(UnaryOperator<Map<String, Object>> change) {
    claims = change;
  }

  /** Sets how long ID tokens are valid from now on. */
  public void setLifetime(long seconds) {
    lifetimeSeconds = seconds;
  }

  /** Signs from now on with this key. */
  public void signWith(KeyPair key) {
    signer = key;
  }

  /** Signs from now on with the published key. */
  public void signWithOwn() {
    signer = provider.key(KEY);
  }

  /** How many refresh tokens were exchanged. */
  public int refreshes() {
    return refreshes.get();
  }

  /** The refresh tokens that were revoked. */
  public Set<String> revoked() {
    return Set.copyOf(revoked);
  }

  /**
   * Logs the user in and consents.
   *
   * @param authorization the address that the client sent the browser to
   * @return where the browser is sent back to
   */
  public URI approve(URI authorization) {
    Map<String, String> asked = fields(authorization.getRawQuery());
    if (!asked.getOrDefault("response_type", "").equals("code")
        || !CLIENT.equals(asked.get("client_id"))
        || !"S256".equals(asked.get("code_challenge_method"))
        || !asked.getOrDefault("redirect_uri", "").endsWith("/console/callback")
        || !asked.getOrDefault("scope", "").contains("openid")
        || !"a".equals(asked.get("tenant"))) {
      throw new IllegalArgumentException("no authorization request: " + authorization);
    }
    String code = UUID.randomUUID().toString();
    codes.put(
        code,
        new Grant(
            asked.getOrDefault("redirect_uri", ""),
            asked.getOrDefault("code_challenge", ""),
            asked.getOrDefault("nonce", "")));
    return URI.create(
        asked.get("redirect_uri")
            + "?code="
            + code
            + "&state="
            + encoded(asked.getOrDefault("state", ""))
            + "&iss="
            + encoded(url()));
  }

  private void form(HttpExchange exchange) throws IOException {
    String page =
        "<!doctype html><title>Provider</title><h1>Provider</h1><a id=in href='/approve?"
            + exchange.getRequestURI().getRawQuery().replace("&", "&amp;").replace("'", "&#39;")
            + "'>Log in as ann</a>";
    send(exchange, 200, "text/html", page);
  }

  private void approved(HttpExchange exchange) throws IOException {
    URI back = approve(URI.create(url() + exchange.getRequestURI()));
    exchange.getResponseHeaders().add("Location", back.toString());
    send(exchange, 303, "text/plain", "");
  }

  private void token(HttpExchange exchange) throws IOException {
    String expected =
        "Basic "
            + Base64.getEncoder()
                .encodeToString(
                    (CLIENT + ":" + encoded(SECRET)).getBytes(StandardCharsets.US_ASCII));
    if (!expected.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      send(exchange, 401, "application/json", "{\"error\":\"invalid_client\"}");
      return;
    }
    Map<String, String> sent = fields(body(exchange));
    @Nullable String nonce = null;
    boolean granted = false;
    if ("authorization_code".equals(sent.get("grant_type"))) {
      Grant grant = codes.remove(sent.getOrDefault("code", ""));
      granted =
          grant != null
              && grant.redirect().equals(sent.get("redirect_uri"))
              && grant.challenge().equals(challenge(sent.getOrDefault("code_verifier", "")));
      nonce = grant == null ? null : grant.nonce();
    } else if ("refresh_token".equals(sent.get("grant_type"))) {
      granted = refreshTokens.remove(sent.getOrDefault("refresh_token", "")) != null;
      if (granted) {
        int unused = refreshes.incrementAndGet();
      }
    }
    if (!granted) {
      send(exchange, 400, "application/json", "{\"error\":\"invalid_grant\"}");
      return;
    }
    send(exchange, 200, "application/json", JsonUtil.toJson(tokens(nonce)));
  }

  private Map<String, Object> tokens(@Nullable String nonce) {
    Map<String, Object> own = new HashMap<>();
    own.put("aud", CLIENT);
    own.put("exp", Instant.now().plusSeconds(lifetimeSeconds).getEpochSecond());
    own.put("jti", UUID.randomUUID().toString());
    if (nonce != null) {
      own.put("nonce", nonce);
    }
    Map<String, Object> all = claims.apply(provider.claims(Instant.now(), own));
    String refresh = UUID.randomUUID().toString();
    refreshTokens.put(refresh, refresh);
    return Map.of(
        "access_token",
        UUID.randomUUID().toString(),
        "token_type",
        "Bearer",
        "id_token",
        IdentityProvider.token(KEY, signer.getPrivate(), "ES256", all),
        "refresh_token",
        refresh);
  }

  private void revoke(HttpExchange exchange) throws IOException {
    String token = fields(body(exchange)).getOrDefault("token", "");
    refreshTokens.remove(token);
    revoked.add(token);
    send(exchange, 200, "text/plain", "");
  }

  private void end(HttpExchange exchange) throws IOException {
    Map<String, String> asked = fields(exchange.getRequestURI().getRawQuery());
    exchange
        .getResponseHeaders()
        .add("Location", asked.getOrDefault("post_logout_redirect_uri", ""));
    send(exchange, 303, "text/plain", "");
  }

  private static String challenge(String verifier) {
    try {
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(
              MessageDigest.getInstance("SHA-256")
                  .digest(verifier.getBytes(StandardCharsets.US_ASCII)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void send(HttpExchange exchange, int status, String type, String text)
      throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", type);
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }

  private static String body(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** The fields of a query or a form. */
  public static Map<String, String> fields(String encoded) {
    Map<String, String> fields = new HashMap<>();
    for (String pair : encoded.split("&")) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        fields.put(
            URLDecoder.decode(pair.substring(0, equals), StandardCharsets.UTF_8),
            URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
      }
    }
    return fields;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    provider.close();
  }
}
