package dev.keelson.authn.jwt;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jose4j.jwk.EllipticCurveJsonWebKey;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwk.RsaJsonWebKey;
import org.jose4j.lang.JoseException;

/** JSON Web Key Sets (RFC 7517). */
public final class JsonWebKeySet {

  /** Maximum number of keys; further ones are ignored. */
  private static final int MOST = 100;

  private JsonWebKeySet() {}

  /**
   * Parses the signature verification keys of a set; skips keys of other uses or types.
   *
   * @throws InvalidJwtException if the text is not a key set
   */
  public static List<VerificationKey> parse(String json) throws InvalidJwtException {
    if (!(JsonText.object(json).get("keys") instanceof List<?> entries)) {
      throw new InvalidJwtException("the key set has no array \"keys\"");
    }
    List<VerificationKey> keys = new ArrayList<>();
    for (Object entry : entries) {
      if (keys.size() < MOST && entry instanceof Map<?, ?> map) {
        add(Claims.of(map), keys);
      }
    }
    return keys;
  }

  private static void add(Claims key, List<VerificationKey> keys) throws InvalidJwtException {
    if (!key.text("use").isEmpty() && !key.text("use").equals("sig")) {
      return;
    }
    if (!key.text("kty").equals("RSA") && !key.text("kty").equals("EC")) {
      return;
    }
    try {
      PublicJsonWebKey read = PublicJsonWebKey.Factory.newPublicJwk(Map.copyOf(key.values()));
      keys.add(new VerificationKey(key.text("kid"), read.getPublicKey(), key.text("alg")));
    } catch (JoseException e) {
      throw new InvalidJwtException("invalid key in the set: " + e.getMessage(), e);
    }
  }

  /** Returns the key as an entry of a set, with the members that kube-apiserver writes. */
  public static Map<String, Object> entry(VerificationKey key) {
    try {
      PublicJsonWebKey web = PublicJsonWebKey.Factory.newPublicJwk(key.key());
      if (!(web instanceof RsaJsonWebKey) && !(web instanceof EllipticCurveJsonWebKey)) {
        throw new IllegalStateException("unsupported key type " + key.key().getAlgorithm());
      }
      web.setUse("sig");
      web.setKeyId(key.id());
      web.setAlgorithm(key.algorithm());
      return web.toParams(JsonWebKey.OutputControlLevel.PUBLIC_ONLY);
    } catch (JoseException e) {
      throw new IllegalStateException("cannot encode a parsed key", e);
    }
  }
}
