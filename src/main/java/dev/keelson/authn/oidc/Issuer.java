package dev.keelson.authn.oidc;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A provider whose tokens are accepted, and what its claims mean here.
 *
 * @param url the issuer as tokens name it; HTTPS
 * @param discoveryUrl where its discovery document is
 * @param audiences whom tokens must be meant for: one of these
 * @param username how users are named; an empty claim if an expression does
 * @param groups how groups are named; an empty claim for no groups
 * @param uidClaim the claim with the uid, or empty
 * @param requiredClaims claims that must have these values
 * @param signingAlgorithms the algorithms that are allowed
 * @param expressions what is found out by expressions
 */
public record Issuer(
    String url,
    String discoveryUrl,
    List<String> audiences,
    Mapping username,
    Mapping groups,
    String uidClaim,
    Map<String, String> requiredClaims,
    Set<String> signingAlgorithms,
    ClaimExpressions expressions) {

  /** A claim, and what is put before its values. */
  public record Mapping(String claim, String prefix) {}

  public Issuer {
    audiences = List.copyOf(audiences);
    requiredClaims = Map.copyOf(requiredClaims);
    signingAlgorithms = Set.copyOf(signingAlgorithms);
  }

  /** Where the discovery document of an issuer is unless somebody says otherwise. */
  public static String discoveryUrl(String issuer) {
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    return base + "/.well-known/openid-configuration";
  }
}
