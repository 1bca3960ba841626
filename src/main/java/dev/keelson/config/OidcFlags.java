package dev.keelson.config;

import dev.keelson.authn.jwt.Jwt;
import dev.keelson.authn.oidc.OidcOptions;
import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A provider of OpenID Connect identities. */
final class OidcFlags {

  private final Flag<@Nullable String> issuerUrl;
  private final Flag<@Nullable String> clientId;
  private final Flag<@Nullable Path> caFile;
  private final Flag<String> usernameClaim;
  private final Flag<@Nullable String> usernamePrefix;
  private final Flag<@Nullable String> groupsClaim;
  private final Flag<@Nullable String> groupsPrefix;
  private final Flag<List<String>> requiredClaims;
  private final Flag<List<String>> signingAlgorithms;

  OidcFlags(FlagGroup group) {
    issuerUrl =
        group.optional(
            "oidc-issuer-url",
            "URL",
            "The OpenID Connect provider whose ID tokens are accepted; HTTPS only.",
            OidcFlags::issuer);
    clientId =
        group.optional(
            "oidc-client-id",
            "NAME",
            "The client that the ID tokens must be meant for; needed with --oidc-issuer-url.",
            Values::text);
    caFile =
        group.optional(
            "oidc-ca-file",
            "FILE",
            "Authorities in PEM for the provider's certificate; those of the host if absent.",
            Values::path);
    usernameClaim =
        group.single(
            "oidc-username-claim", "CLAIM", "sub", "The claim with the user name.", Values::text);
    usernamePrefix =
        group.optional(
            "oidc-username-prefix",
            "TEXT",
            "What is put before user names. If absent, names from claims other than email get the"
                + " issuer and # before them; - is no prefix.",
            Values::text);
    groupsClaim =
        group.optional(
            "oidc-groups-claim",
            "CLAIM",
            "The claim with the groups: a text or a list of texts.",
            Values::text);
    groupsPrefix =
        group.optional(
            "oidc-groups-prefix", "TEXT", "What is put before each group.", Values::text);
    requiredClaims =
        group.list(
            "oidc-required-claim",
            "CLAIM=VALUE",
            "A claim that must be there with this value.",
            OidcFlags::claim);
    signingAlgorithms =
        group.list(
            "oidc-signing-algs",
            "NAME",
            "The algorithms that ID tokens may be signed with; RS256 if absent.",
            OidcFlags::algorithm);
  }

  @Nullable OidcOptions options(Settings settings) {
    String issuer = settings.value(issuerUrl);
    String client = settings.value(clientId);
    if (issuer == null || client == null) {
      for (Flag<?> flag :
          List.of(
              issuerUrl,
              clientId,
              caFile,
              usernameClaim,
              usernamePrefix,
              groupsClaim,
              groupsPrefix,
              requiredClaims,
              signingAlgorithms)) {
        if (settings.has(flag)) {
          throw new FlagException(
              flag.dashed()
                  + " needs "
                  + (issuer == null ? issuerUrl.dashed() : clientId.dashed())
                  + " as well");
        }
      }
      return null;
    }
    Path authorities = settings.value(caFile);
    String groups = settings.value(groupsClaim);
    String prefix = settings.value(groupsPrefix);
    List<String> algorithms = settings.value(signingAlgorithms);
    return new OidcOptions(
        issuer,
        client,
        authorities == null ? null : Checks.readable(caFile, authorities),
        settings.value(usernameClaim),
        settings.value(usernamePrefix),
        groups == null ? "" : groups,
        prefix == null ? "" : prefix,
        claims(settings.value(requiredClaims)),
        algorithms.isEmpty() ? Set.of("RS256") : Set.copyOf(algorithms));
  }

  private Map<String, String> claims(List<String> pairs) {
    Map<String, String> claims = new LinkedHashMap<>();
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      if (claims.put(pair.substring(0, equals), pair.substring(equals + 1)) != null) {
        throw new FlagException(
            requiredClaims.dashed() + ": " + pair.substring(0, equals) + " is given twice");
      }
    }
    return claims;
  }

  private static String issuer(String text) {
    URI uri;
    try {
      uri = URI.create(ServiceAccountFlags.https(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("an https:// URL is expected, found \"" + text + "\"", e);
    }
    if (uri.getHost() == null || uri.getQuery() != null || uri.getFragment() != null) {
      throw new IllegalArgumentException(
          "an https:// URL with a host and without query is expected, found \"" + text + "\"");
    }
    return text;
  }

  private static String claim(String text) {
    if (text.indexOf('=') < 1) {
      throw new IllegalArgumentException("claim=value is expected, found \"" + text + "\"");
    }
    return text;
  }

  private static String algorithm(String text) {
    if (!Jwt.ASYMMETRIC.contains(text)) {
      throw new IllegalArgumentException(
          "one of "
              + Jwt.ASYMMETRIC.stream().sorted().toList()
              + " is expected, found \""
              + text
              + "\"");
    }
    return text;
  }
}
