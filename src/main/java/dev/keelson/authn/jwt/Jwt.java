package dev.keelson.authn.jwt;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jose4j.json.JsonUtil;
import org.jose4j.lang.JoseException;

/**
 * A parsed JWT whose signature has not been verified.
 *
 * @param token the compact serialization
 * @param algorithm the header {@code alg}
 * @param keyId the header {@code kid}, or empty
 * @param claims the claims, untrusted before {@link #verify}
 */
public record Jwt(String token, String algorithm, String keyId, Claims claims) {

  /**
   * The allowed algorithms, all asymmetric: a token must not select a symmetric one or {@code
   * none}.
   */
  public static final Set<String> ASYMMETRIC =
      Set.of("RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512");

  /** Maximum length of a token in characters. */
  public static final int LONGEST = 32 * 1024;

  /**
   * Parses the compact serialization of RFC 7515 without verifying the signature, since the issuer
   * claim selects the keys. Written by hand because SmallRye's {@code parseOnly} returns neither
   * {@code alg} nor {@code kid}.
   *
   * @return empty if the text is not a JWT; it may be another kind of token
   */
  public static Optional<Jwt> parse(String token) {
    int first = token.indexOf('.');
    int second = first < 0 ? -1 : token.indexOf('.', first + 1);
    if (second < 0 || token.indexOf('.', second + 1) >= 0 || token.length() > LONGEST) {
      return Optional.empty();
    }
    try {
      // duplicate names are rejected: two parsers could see different claims
      Map<String, Object> header = object(token.substring(0, first));
      Map<String, Object> claims = object(token.substring(first + 1, second));
      String algorithm = header.get("alg") instanceof String text ? text : "";
      String keyId = header.get("kid") instanceof String text ? text : "";
      return Optional.of(new Jwt(token, algorithm, keyId, new Claims(claims)));
    } catch (JoseException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Verifies the signature with the key of the token's {@code kid}, or with every key if it has
   * none.
   *
   * @param allowed the allowed algorithms
   * @throws InvalidJwtException if no key verifies the signature
   */
  public void verify(Collection<VerificationKey> keys, Set<String> allowed)
      throws InvalidJwtException {
    if (!ASYMMETRIC.contains(algorithm) || !allowed.contains(algorithm)) {
      throw new InvalidJwtException("the algorithm \"" + algorithm + "\" is not allowed");
    }
    for (VerificationKey key : candidates(keys)) {
      boolean fits = key.algorithm().isEmpty() || key.algorithm().equals(algorithm);
      if (fits && Signatures.verify(token, algorithm, key.key())) {
        return;
      }
    }
    throw new InvalidJwtException("the signature does not match any known key");
  }

  private List<VerificationKey> candidates(Collection<VerificationKey> keys) {
    List<VerificationKey> named = new ArrayList<>();
    for (VerificationKey key : keys) {
      if (keyId.isEmpty() || keyId.equals(key.id())) {
        named.add(key);
      }
    }
    return named;
  }

  private static Map<String, Object> object(String base64) throws JoseException {
    byte[] json = Base64.getUrlDecoder().decode(base64);
    return JsonUtil.parseJson(new String(json, StandardCharsets.UTF_8));
  }
}
