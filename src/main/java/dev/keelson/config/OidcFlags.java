package dev.keelson.config;

import dev.keelson.authn.jwt.Jwt;
import dev.keelson.authn.oidc.LoginOptions;
import dev.keelson.authn.oidc.OidcOptions;
import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Flags of one OpenID Connect provider, and of the login of browsers at a provider. */
final class OidcFlags {

  private final Flag<@Nullable String> issuerUrl;
  private final Flag<@Nullable String> clientId;
  private final Flag<@Nullable Path> caFile;
  private final Flag<String> usernameClaim;
  private final Flag<@Nullable String> usernamePrefix;
  private final Flag<@Nullable String> groupsClaim;
  private final Flag<@Nullable String> groupsPrefix;
  private final Flag<List<List<String>>> requiredClaims;
  private final Flag<List<String>> signingAlgorithms;
  private final Flag<@Nullable String> loginClientId;
  private final Flag<@Nullable Path> loginSecretFile;
  private final Flag<List<String>> loginExtraScopes;

  OidcFlags(FlagGroup group) {
    issuerUrl =
        group.optional(
            "oidc-issuer-url",
            "URL",
            "URL of the OpenID Connect provider whose ID tokens are accepted; HTTPS only.",
            OidcFlags::issuer);
    clientId =
        group.optional(
            "oidc-client-id",
            "NAME",
            "Client ID that ID tokens must be issued for; required with --oidc-issuer-url.",
            Values::text);
    caFile =
        group.optional(
            "oidc-ca-file",
            "FILE",
            "Certificate authorities in PEM for the provider's certificate. Defaults to those"
                + " of the host.",
            Values::path);
    usernameClaim =
        group.single(
            "oidc-username-claim", "CLAIM", "sub", "Claim that holds the user name.", Values::text);
    usernamePrefix =
        group.optional(
            "oidc-username-prefix",
            "TEXT",
            "Prefix of user names. If absent, names from claims other than email are prefixed"
                + " with the issuer and #; - disables the prefix.",
            Values::text);
    groupsClaim =
        group.optional(
            "oidc-groups-claim",
            "CLAIM",
            "Claim that holds the groups: a string or a list of strings.",
            Values::text);
    groupsPrefix = group.optional("oidc-groups-prefix", "TEXT", "Prefix of groups.", Values::text);
    requiredClaims =
        group.repeated(
            "oidc-required-claim",
            "CLAIM=VALUE",
            "Claim that must be present with this value. What follows a comma is another claim if"
                + " it has an equals sign, else part of the value.",
            OidcFlags::claims);
    signingAlgorithms =
        group.list(
            "oidc-signing-algs",
            "NAME",
            "Accepted signature algorithms of ID tokens. Defaults to RS256.",
            OidcFlags::algorithm);
    loginClientId =
        group.optional(
            "console-oidc-client-id",
            "NAME",
            "Client ID by which users of the console log in at the provider of --oidc-issuer-url,"
                + " or at an issuer of --authentication-config that has it among its audiences,"
                + " which the user chooses if there are several. The provider must know the redirect address https://HOST/console/callback.",
            Values::text);
    loginSecretFile =
        group.optional(
            "console-oidc-client-secret-file",
            "FILE",
            "File with the secret of --console-oidc-client-id. Without it the client is a public"
                + " one.",
            Values::path);
    loginExtraScopes =
        group.list(
            "console-oidc-extra-scopes",
            "SCOPE",
            "Scopes that the login of the console requests beside openid, for example email,"
                + " groups, or offline_access for a refresh token.",
            OidcFlags::scope);
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
                  + ": oidc-issuer-url and oidc-client-id must be specified together when any oidc-*"
                  + " flags are set, "
                  + (issuer == null ? issuerUrl.dashed() : clientId.dashed())
                  + " is missing");
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
        required(settings.value(requiredClaims)),
        algorithms.isEmpty() ? Set.of("RS256") : Set.copyOf(algorithms));
  }

  private Map<String, String> required(List<List<String>> given) {
    Map<String, String> claims = new LinkedHashMap<>();
    for (List<String> pairs : given) {
      for (String pair : pairs) {
        int equals = pair.indexOf('=');
        if (claims.put(pair.substring(0, equals), pair.substring(equals + 1)) != null) {
          throw new FlagException(
              requiredClaims.dashed() + ": " + pair.substring(0, equals) + " is given twice");
        }
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

  private static List<String> claims(String text) {
    List<String> claims = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int equals = part.indexOf('=');
      if (equals < 0 && !claims.isEmpty()) {
        claims.add(claims.removeLast() + "," + part);
      } else if (equals > 0) {
        claims.add(part.strip());
      } else {
        throw new IllegalArgumentException("claim=value is expected, found \"" + part + "\"");
      }
    }
    return claims;
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

  /**
   * Returns the client; null if browsers do not log in at a provider.
   *
   * @param trusted whether a provider is configured
   */
  @Nullable LoginOptions login(Settings settings, boolean trusted) {
    String client = settings.value(loginClientId);
    Path secret = settings.value(loginSecretFile);
    List<String> scopes = settings.value(loginExtraScopes);
    if (client == null) {
      if (secret != null || !scopes.isEmpty()) {
        throw new FlagException(
            (secret == null ? loginExtraScopes : loginSecretFile).dashed()
                + " needs "
                + loginClientId.dashed()
                + " as well");
      }
      return null;
    }
    if (!trusted) {
      throw new FlagException(
          loginClientId.dashed() + " needs --oidc-issuer-url or --authentication-config as well");
    }
    return new LoginOptions(
        client, secret == null ? null : Checks.readable(loginSecretFile, secret), scopes);
  }

  private static String scope(String text) {
    if (!text.matches("[\\x21\\x23-\\x5b\\x5d-\\x7e]+")) {
      throw new IllegalArgumentException("a scope is expected, found \"" + text + "\"");
    }
    return text;
  }
}
