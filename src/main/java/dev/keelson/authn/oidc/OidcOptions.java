package dev.keelson.authn.oidc;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A provider as the {@code --oidc-*} flags describe it.
 *
 * @param issuerUrl the issuer as tokens name it; HTTPS
 * @param clientId the audience that tokens must have
 * @param caFile authorities in PEM for the provider's certificate; null for those of the host
 * @param usernameClaim the claim with the user name
 * @param usernamePrefix what is put before the name; null is the default rule, by which only e-mail
 *     addresses go without the issuer before them; empty for nothing
 * @param groupsClaim the claim with the groups, or empty
 * @param groupsPrefix what is put before each group
 * @param requiredClaims claims that must have these values
 * @param signingAlgorithms the algorithms that are allowed
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

  /** The provider that the options describe. */
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

  /** What is put before user names. */
  private String effectiveUsernamePrefix() {
    if (usernamePrefix != null) {
      return usernamePrefix.equals("-") ? "" : usernamePrefix;
    }
    return usernameClaim.equals("email") ? "" : issuerUrl + "#";
  }
}
