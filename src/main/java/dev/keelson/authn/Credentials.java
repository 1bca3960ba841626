package dev.keelson.authn;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a request brings to show who makes it, unchecked. Safe for use by any thread. No record,
 * because the digest of the token is found once for all authenticators that look it up.
 */
public final class Credentials {

  /** No credentials at all. */
  public static final Credentials NONE = new Credentials(List.of(), List.of());

  /** The start of a WebSocket subprotocol that carries a token, as Kubernetes names it. */
  private static final String PROTOCOL_PREFIX = "base64url.bearer.authorization.k8s.io.";

  private final List<String> authorization;
  private final List<X509Certificate> certificates;
  private final Map<String, List<String>> headers;
  private final List<String> audiences;

  /** Null until somebody asks; two threads that ask at once find the same. */
  private volatile @Nullable TokenDigest digest;

  /**
   * @param authorization the values of the Authorization headers, in order
   * @param certificates the client's certificate, then the others it sent; empty if it sent none.
   *     The client holds the key of the first one: the TLS handshake has seen to that, and to
   *     nothing else
   * @param headers every header by lower-case name, for authenticators that trust a proxy
   * @param audiences whom a token must be meant for; empty is the API itself
   */
  public Credentials(
      List<String> authorization,
      List<X509Certificate> certificates,
      Map<String, List<String>> headers,
      List<String> audiences) {
    this.authorization = List.copyOf(authorization);
    this.certificates = List.copyOf(certificates);
    this.headers = Map.copyOf(headers);
    this.audiences = List.copyOf(audiences);
  }

  /** Credentials of a request without other headers, for the API itself. */
  public Credentials(List<String> authorization, List<X509Certificate> certificates) {
    this(authorization, certificates, Map.of(), List.of());
  }

  /** A token alone, to be meant for {@code audiences}. */
  public static Credentials ofToken(String token, List<String> audiences) {
    return new Credentials(List.of("Bearer " + token), List.of(), Map.of(), audiences);
  }

  /** The values of the Authorization headers, in order. */
  public List<String> authorization() {
    return authorization;
  }

  /** The client's certificate, then the others it sent; empty if it sent none. */
  public List<X509Certificate> certificates() {
    return certificates;
  }

  /** Every header by lower-case name. */
  public Map<String, List<String>> headers() {
    return headers;
  }

  /** Whom a token must be meant for; empty is the API itself. */
  public List<String> audiences() {
    return audiences;
  }

  /** The values of the header {@code name}, in any case. */
  public List<String> header(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  /**
   * The bearer token (RFC 6750, section 2.1), if there is one; never an empty text. Browsers cannot
   * set the header of a WebSocket, so there it may also come as a subprotocol.
   */
  public Optional<String> bearerToken() {
    if (authorization.isEmpty()) {
      return WebSocketToken.of(
          header("upgrade"), header("sec-websocket-protocol"), PROTOCOL_PREFIX);
    }
    String value = authorization.getFirst().strip();
    int space = value.indexOf(' ');
    if (space < 0 || !value.substring(0, space).equalsIgnoreCase("bearer")) {
      return Optional.empty();
    }
    // what stands between one space and the next, as Kubernetes reads it
    int end = value.indexOf(' ', space + 1);
    String token = value.substring(space + 1, end < 0 ? value.length() : end);
    return token.isEmpty() ? Optional.empty() : Optional.of(token);
  }

  /** What the bearer token is remembered by, if there is one. */
  public Optional<TokenDigest> tokenDigest() {
    TokenDigest known = digest;
    if (known != null) {
      return Optional.of(known);
    }
    Optional<TokenDigest> found = bearerToken().map(TokenDigest::of);
    digest = found.orElse(null);
    return found;
  }

  /** Whether a bearer token is not read because more than one space stands before it. */
  public boolean hidesToken() {
    return !authorization.isEmpty()
        && authorization.getFirst().strip().regionMatches(true, 0, "bearer  ", 0, 8);
  }
}
