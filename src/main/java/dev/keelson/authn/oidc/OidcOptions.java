package dev.keelson.authn.oidc;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID Connect provider as configured by the {@code --oidc-*} flags.
 *
 * @param issuerUrl the {@code iss} claim of its tokens; an HTTPS URL
 * @param clientId the required audience of tokens
 * @param caFile CA certificates in PEM for the provider's certificate; null for the host's
 * @param usernameClaim the claim of the user name
 * @param usernamePrefix the prefix of user names; null for the default, the issuer URL except for
 *     the claim {@code email}; empty for none
 * @param groupsClaim the claim of the groups, or empty
 * @param groupsPrefix the prefix of each group
 * @param requiredClaims required values of claims
 * @param signingAlgorithms the allowed signing algorithms
 */
public record OidcOptions(
    String issuerUrl,
    String clientId,
    @Nullable Path caFile,
    String usernameClaim,
    @Nullable String usernamePrefix,
    String groupsClaim,
    String groupsPrefix,
    Map<String, String> requiredClaims,
    Set<String> signingAlgorithms) {

  public OidcOptions {
    requiredClaims = Map.copyOf(requiredClaims);
    signingAlgorithms = Set.copyOf(signingAlgorithms);
  }

  /** Returns the issuer that the options configure. */
  public Issuer issuer() {
    return new Issuer(
        issuerUrl,
        Issuer.discoveryUrl(issuerUrl),
        List.of(clientId),
        new Issuer.Mapping(usernameClaim, effectiveUsernamePrefix()),
        new Issuer.Mapping(groupsClaim, groupsPrefix),
        "",
        requiredClaims,
        signingAlgorithms,
        ClaimExpressions.NONE);
  }

  /** Returns the prefix of user names. */
  private String effectiveUsernamePrefix() {
    if (usernamePrefix != null) {
      return usernamePrefix.equals("-") ? "" : usernamePrefix;
    }
    return usernameClaim.equals("email") ? "" : issuerUrl + "#";
  }
}
