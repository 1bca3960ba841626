package dev.keelson.blackbox.attack;

import dev.keelson.testing.IdentityProvider;
import java.security.PrivateKey;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jose4j.json.JsonUtil;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.lang.JoseException;

/**
 * Tokens of a service account that differ from a valid one in what makes them wrong.
 *
 * @param header of the valid token
 * @param claims of the valid token
 * @param key the server's own
 * @param foreign another of the same type
 */
record ForgedTokens(
    Map<String, Object> header, Map<String, Object> claims, PrivateKey key, PrivateKey foreign) {

  private static final long HOUR = 3_600;

  /** Takes a TokenRequest with its valid token apart. */
  static ForgedTokens of(String tokenRequest, PrivateKey key) {
    try {
      if (!(JsonUtil.parseJson(tokenRequest).get("status") instanceof Map<?, ?> status)) {
        throw new IllegalStateException("no token: " + tokenRequest);
      }
      JsonWebSignature valid =
          (JsonWebSignature)
              JsonWebSignature.fromCompactSerialization(String.valueOf(status.get("token")));
      return new ForgedTokens(
          JsonUtil.parseJson(valid.getHeaders().getFullHeaderAsJsonString()),
          JsonUtil.parseJson(valid.getUnverifiedPayload()),
          key,
          IdentityProvider.newKey(key.getAlgorithm()).getPrivate());
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The valid one, signed again. */
  String unchanged() {
    return sign(claims, key);
  }

  /** One of many that are wrong, all of them different. */
  String wrong(int number) {
    long now = Instant.now().getEpochSecond();
    return switch (number % 7) {
      case 0 -> "eyJhbGciOiJSUzI1NiJ9.e" + number + ".AAAA";
      case 1 -> sign(with(number, Map.of()), foreign);
      case 2 -> sign(with(number, Map.of("exp", now - HOUR)), key);
      case 3 -> sign(with(number, Map.of("nbf", now + HOUR)), key);
      case 4 -> sign(with(number, Map.of("aud", List.of("https://elsewhere"))), key);
      case 5 -> sign(with(number, Map.of("iss", "https://elsewhere")), key);
      default -> {
        String signed = sign(claims, key);
        String other = sign(with(number, Map.of()), foreign);
        yield other.substring(0, other.lastIndexOf('.'))
            + signed.substring(signed.lastIndexOf('.'));
      }
    };
  }

  private Map<String, Object> with(int number, Map<String, Object> changed) {
    Map<String, Object> all = new HashMap<>(claims);
    all.put("jti", "forged-" + number);
    all.putAll(changed);
    return all;
  }

  private String sign(Map<String, Object> payload, PrivateKey signer) {
    JsonWebSignature signature = new JsonWebSignature();
    signature.setPayload(JsonUtil.toJson(payload));
    signature.setAlgorithmHeaderValue(String.valueOf(header.get("alg")));
    signature.setKeyIdHeaderValue(String.valueOf(header.get("kid")));
    signature.setKey(signer);
    try {
      return signature.getCompactSerialization();
    } catch (JoseException e) {
      throw new IllegalStateException(e);
    }
  }
}
