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
 * <p>Only what the parser says about the signature is used. Its rules for claims are not
 * Kubernetes': it requires {@code exp}, which tokens in Secrets do not have, reads the clock of the
 * system, and splits {@code groups} at spaces. Claims are checked by the authenticators instead,
 * with the server's clock and on every request.
 */
final class Signatures {

  private static final DefaultJWTTokenParser PARSER = new DefaultJWTTokenParser();

  /** The claim with groups: naming it keeps the parser from failing on one that is no list. */
  private static final String GROUPS = "groups";

  private Signatures() {}

  /**
   * Returns whether the owner of {@code key} signed the token.
   *
   * @param token in the compact form of RFC 7515
   * @param algorithm the asymmetric algorithm that it names
   */
  static boolean verify(String token, String algorithm, PublicKey key) {
    JWTAuthContextInfo context = new JWTAuthContextInfo();
    context.setPublicVerificationKey(key);
    context.setSignatureAlgorithm(Set.of(SignatureAlgorithm.fromAlgorithm(algorithm)));
    context.setRelaxVerificationKeyValidation(false); // refuses RSA keys of less than 2048 bits
    context.setRequireNamedPrincipal(false);
    context.setGroupsPath(GROUPS);
    try {
      return verified(PARSER.parse(token, context));
    } catch (ParseException e) {
      return e.getCause() instanceof InvalidJwtException invalid
          && verified(invalid.getJwtContext());
    }
  }

  /** Whether the token is signed once, and the parser found the signature right. */
  private static boolean verified(JwtContext context) {
    List<JsonWebStructure> layers = context.getJoseObjects();
    try {
      // the parser has verified it already, and the object remembers with which result
      return layers.size() == 1
          && layers.getFirst() instanceof JsonWebSignature signature
          && signature.verifySignature();
    } catch (JoseException e) {
      // a key of another type, an algorithm that is not allowed, a signature of the wrong length
      return false;
    }
  }
}
