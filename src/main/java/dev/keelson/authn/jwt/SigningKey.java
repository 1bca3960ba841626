package dev.keelson.authn.jwt;

import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.util.Base64;
import java.util.Map;

/**
 * A key that makes tokens.
 *
 * @param key the secret half
 * @param verification the public half, with its name and algorithm
 */
public record SigningKey(PrivateKey key, VerificationKey verification) {

  /** A pair, named and used as {@link #verification(PublicKey)} says. */
  public static SigningKey of(PrivateKey key, PublicKey half) {
    return new SigningKey(key, verification(half));
  }

  /**
   * A public key as tokens of this server name it: the digest of its encoding, which every server
   * with the key finds by itself.
   *
   * @throws IllegalArgumentException if tokens cannot be signed with a key of its type
   */
  public static VerificationKey verification(PublicKey key) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "RSA" -> "RS256";
          case "EC" ->
              switch (((ECPublicKey) key).getParams().getOrder().bitLength()) {
                case 256 -> "ES256";
                case 384 -> "ES384";
                case 521 -> "ES512";
                default -> throw new IllegalArgumentException("its curve is not P-256, 384 or 521");
              };
          default ->
              throw new IllegalArgumentException(
                  "a key of type " + key.getAlgorithm() + "; RSA or EC is expected");
        };
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
      String id = Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
      return new VerificationKey(id, key, algorithm);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /**
   * Signs a token with exactly these claims, in their order:
   * META-INF/microprofile-config.properties keeps SmallRye's builder from adding {@code iat},
   * {@code exp} and {@code jti} of its own.
   */
  public String sign(Map<String, Object> claims) {
    return io.smallrye.jwt.build.Jwt.claims(claims)
        .jws()
        .algorithm(SignatureAlgorithm.fromAlgorithm(verification.algorithm()))
        .keyId(verification.id())
        .sign(key);
  }
}
