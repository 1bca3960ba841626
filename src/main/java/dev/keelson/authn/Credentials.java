package dev.keelson.authn;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The unverified credentials of a request. Safe for use by any thread. Not a record, because the
 * digest of the token is computed once for all authenticators.
 */
public final class Credentials {

  /** No credentials. */
  public static final Credentials NONE = new Credentials(List.of(), List.of());

  /** The prefix of the WebSocket subprotocol that carries a bearer token. */
  private static final String PROTOCOL_PREFIX = "base64url.bearer.authorization.k8s.io.";

  private final List<String> authorization;
  private final List<X509Certificate> certificates;
  private final Map<String, List<String>> headers;
  private final List<String> audiences;

  /** Computed on first use; concurrent threads compute the same value. */
  private volatile @Nullable TokenDigest digest;

  /**
   * @param authorization the values of the Authorization headers, in order
   * @param certificates the client's certificate chain, leaf first; empty if it sent none. The TLS
   *     handshake has verified that the client holds the key of the leaf, and nothing else
   * @param headers every header by lower-case name, for authenticators that trust a proxy
   * @param audiences the audiences a token must be valid for; empty means the API itself
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

  /** Credentials without other headers, for the API's own audiences. */
  public Credentials(List<String> authorization, List<X509Certificate> certificates) {
    this(authorization, certificates, Map.of(), List.of());
  }

  /** A bearer token that must be valid for {@code audiences}. */
  public static Credentials ofToken(String token, List<String> audiences) {
    return new Credentials(List.of("Bearer " + token), List.of(), Map.of(), audiences);
  }

  /** The values of the Authorization headers, in order. */
  public List<String> authorization() {
    return authorization;
  }

  /** The client's certificate chain, leaf first; empty if it sent none. */
  public List<X509Certificate> certificates() {
    return certificates;
  }

  /** Every header by lower-case name. */
  public Map<String, List<String>> headers() {
    return headers;
  }

  /** The audiences a token must be valid for; empty means the API itself. */
  public List<String> audiences() {
    return audiences;
  }

  /** The values of the header {@code name}, in any case. */
  public List<String> header(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  /**
   * Returns the bearer token (RFC 6750, section 2.1), never an empty string. Browsers cannot set
   * the Authorization header of a WebSocket, so the token may also be a subprotocol.
   */
  public Optional<String> bearerToken() {
    if (authorization.isEmpty()) {
      String token = webSocketToken().token();
      return token.isEmpty() ? Optional.empty() : Optional.of(token);
    }
    String value = authorization.getFirst().strip();
    int space = value.indexOf(' ');
    if (space < 0 || !value.substring(0, space).equalsIgnoreCase("bearer")) {
      return Optional.empty();
    }
    // the text between the first two spaces, as kube-apiserver reads it
    int end = value.indexOf(' ', space + 1);
    String token = value.substring(space + 1, end < 0 ? value.length() : end);
    return token.isEmpty() ? Optional.empty() : Optional.of(token);
  }

  /** Why the subprotocols of a WebSocket carry no valid token; empty if they need not. */
  String problem() {
    return authorization.isEmpty() ? webSocketToken().problem() : "";
  }

  private WebSocketToken webSocketToken() {
    return WebSocketToken.of(header("upgrade"), header("sec-websocket-protocol"), PROTOCOL_PREFIX);
  }

  /** Returns the digest of the bearer token, by which caches look it up. */
  public Optional<TokenDigest> tokenDigest() {
    TokenDigest known = digest;
    if (known != null) {
      return Optional.of(known);
    }
    Optional<TokenDigest> found = bearerToken().map(TokenDigest::of);
    digest = found.orElse(null);
    return found;
  }

  /** Whether the bearer token is ignored because more than one space precedes it. */
  public boolean hasExtraSpaces() {
    return !authorization.isEmpty()
        && authorization.getFirst().strip().regionMatches(true, 0, "bearer  ", 0, 8);
  }
}
