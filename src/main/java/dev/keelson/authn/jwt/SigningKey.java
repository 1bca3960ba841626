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
 * A key that signs tokens.
 *
 * @param key the private key
 * @param verification the public key with its id and algorithm
 */
public record SigningKey(PrivateKey key, VerificationKey verification) {

  /** Creates a signing key with the id and algorithm of {@link #verification(PublicKey)}. */
  public static SigningKey of(PrivateKey key, PublicKey half) {
    return new SigningKey(key, verification(half));
  }

  /**
   * Returns the verification key of a public key; its id is the digest of its encoding, so that
   * every server with the key computes the same {@code kid}.
   *
   * @throws IllegalArgumentException if the key type is not supported
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
                default ->
                    throw new IllegalArgumentException(
                        "unsupported curve; expected P-256, P-384 or P-521");
              };
          default ->
              throw new IllegalArgumentException(
                  "unsupported key type " + key.getAlgorithm() + "; expected RSA or EC");
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
   * Signs a token with exactly these claims in this order. META-INF/microprofile-config.properties
   * keeps SmallRye's builder from adding its own {@code iat}, {@code exp} and {@code jti}.
   */
  public String sign(Map<String, Object> claims) {
    return io.smallrye.jwt.build.Jwt.claims(claims)
        .jws()
        .algorithm(SignatureAlgorithm.fromAlgorithm(verification.algorithm()))
        .keyId(verification.id())
        .sign(key);
  }
}
