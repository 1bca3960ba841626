package dev.keelson.authn.jwt;

import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.auth.principal.DefaultJWTTokenParser;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.ParseException;
import java.security.PublicKey;
import java.util.List;
import java.util.Set;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.consumer.InvalidJwtException;
import org.jose4j.jwt.consumer.JwtContext;
import org.jose4j.jwx.JsonWebStructure;
import org.jose4j.lang.JoseException;

/**
 * Verifies signatures with the parser of SmallRye JWT, one key at a time.
 *
 * <p>Only the parser's signature result is used. Its claim rules differ from Kubernetes': it
 * requires {@code exp}, which legacy tokens in Secrets lack, reads the system clock and splits
 * {@code groups} at spaces. The authenticators check the claims instead, with the server's clock
 * and on every request.
 */
final class Signatures {

  private static final DefaultJWTTokenParser PARSER = new DefaultJWTTokenParser();

  /** Configures the groups claim, so that the parser does not fail if it is not a list. */
  private static final String GROUPS = "groups";

  private Signatures() {}

  /**
   * Returns whether {@code key} verifies the signature of the token.
   *
   * @param token in the compact serialization of RFC 7515
   * @param algorithm the asymmetric algorithm of its header
   */
  static boolean verify(String token, String algorithm, PublicKey key) {
    JWTAuthContextInfo context = new JWTAuthContextInfo();
    context.setPublicVerificationKey(key);
    context.setSignatureAlgorithm(Set.of(SignatureAlgorithm.fromAlgorithm(algorithm)));
    context.setRelaxVerificationKeyValidation(false); // rejects RSA keys of less than 2048 bits
    context.setRequireNamedPrincipal(false);
    context.setGroupsPath(GROUPS);
    try {
      return verified(PARSER.parse(token, context));
    } catch (ParseException e) {
      return e.getCause() instanceof InvalidJwtException invalid
          && verified(invalid.getJwtContext());
    }
  }

  /** Whether the token has one signature and the parser verified it. */
  private static boolean verified(JwtContext context) {
    List<JsonWebStructure> layers = context.getJoseObjects();
    try {
      // returns the parser's result without verifying again
      return layers.size() == 1
          && layers.getFirst() instanceof JsonWebSignature signature
          && signature.verifySignature();
    } catch (JoseException e) {
      // key of another type, disallowed algorithm or signature of the wrong length
      return false;
    }
  }
}
