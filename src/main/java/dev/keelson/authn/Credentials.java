package dev.keelson.authn;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/**
 * What a request brings to show who makes it, unchecked.
 *
 * @param authorization the values of the Authorization headers, in order
 * @param certificates the client's certificate, then the others it sent; empty if it sent none. The
 *     client holds the key of the first one: the TLS handshake has seen to that, and to nothing
 *     else
 */
public record Credentials(List<String> authorization, List<X509Certificate> certificates) {

  /** No credentials at all. */
  public static final Credentials NONE = new Credentials(List.of(), List.of());

  public Credentials {
    authorization = List.copyOf(authorization);
    certificates = List.copyOf(certificates);
  }

  /** The bearer token (RFC 6750, section 2.1), if there is one; never an empty text. */
  public Optional<String> bearerToken() {
    if (authorization.isEmpty()) {
      return Optional.empty();
    }
    String value = authorization.getFirst().strip();
    int space = value.indexOf(' ');
    if (space < 0 || !value.substring(0, space).equalsIgnoreCase("bearer")) {
      return Optional.empty();
    }
    String token = value.substring(space + 1).strip();
    return token.isEmpty() ? Optional.empty() : Optional.of(token);
  }
}
