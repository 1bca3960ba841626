package dev.keelson.authn.serviceaccount;

import dev.keelson.authn.jwt.JsonText;
import dev.keelson.authn.jwt.JsonWebKeySet;
import dev.keelson.authn.jwt.VerificationKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What others need to check tokens of this server: the discovery document of OpenID Connect and the
 * keys (KEP-1393).
 *
 * @param issuer the name in new tokens
 * @param keys the keys that are accepted
 */
public record OpenIdMetadata(String issuer, List<VerificationKey> keys) {

  /** The discovery document, in JSON, with the keys at {@code jwksUri}. */
  public String configuration(String jwksUri) {
    TreeSet<String> algorithms = new TreeSet<>();
    keys.forEach(key -> algorithms.add(key.algorithm()));
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("issuer", issuer);
    document.put("jwks_uri", jwksUri);
    document.put("response_types_supported", List.of("id_token"));
    document.put("subject_types_supported", List.of("public"));
    document.put("id_token_signing_alg_values_supported", List.copyOf(algorithms));
    return JsonText.write(document);
  }

  /** The keys, in JSON. */
  public String keySet() {
    return JsonText.write(Map.of("keys", keys.stream().map(JsonWebKeySet::entry).toList()));
  }
}
