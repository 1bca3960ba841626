package dev.keelson.authn.oidc;

import dev.keelson.authn.jwt.Claims;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A trusted OpenID Connect issuer and its claim mappings.
 *
 * @param url the {@code iss} claim of its tokens; an HTTPS URL
 * @param discoveryUrl the URL of its discovery document
 * @param audiences the accepted audiences; a token must have one of them
 * @param username the mapping of the user name; an empty claim if an expression maps it
 * @param groups the mapping of the groups; an empty claim for no groups
 * @param uidClaim the claim with the uid, or empty
 * @param requiredClaims required values of claims
 * @param signingAlgorithms the allowed signing algorithms
 * @param expressions the mappings and validation rules in CEL
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

  private static final String GOOGLE = "accounts.google.com";

  /** A claim and the prefix of its values. */
  public record Mapping(String claim, String prefix) {}

  public Issuer {
    audiences = List.copyOf(audiences);
    requiredClaims = Map.copyOf(requiredClaims);
    signingAlgorithms = Set.copyOf(signingAlgorithms);
  }

  /** Returns the issuer that claims name; Google's has a second name, without the scheme. */
  static String of(Claims claims) {
    String issuer = claims.text("iss");
    return issuer.equals(GOOGLE) ? "https://" + GOOGLE : issuer;
  }

  /** Returns the default URL of the discovery document of an issuer. */
  public static String discoveryUrl(String issuer) {
    String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    return base + "/.well-known/openid-configuration";
  }
}
