package dev.keelson.authn.serviceaccount;

import dev.keelson.authn.jwt.JsonText;
import dev.keelson.authn.jwt.JsonWebKeySet;
import dev.keelson.authn.jwt.VerificationKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The OpenID Connect discovery document and the key set by which others verify service account
 * tokens (KEP-1393).
 *
 * @param issuer the issuer of new tokens
 * @param keys the accepted keys
 */
public record OpenIdMetadata(String issuer, List<VerificationKey> keys) {

  /** Returns the discovery document in JSON; {@code jwksUri} is the URL of the key set. */
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

  /** Returns the key set in JSON. */
  public String keySet() {
    return JsonText.write(Map.of("keys", keys.stream().map(JsonWebKeySet::entry).toList()));
  }
}
