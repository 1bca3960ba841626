package dev.keelson.config;

import dev.keelson.authn.serviceaccount.ServiceAccountOptions;
import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.value.GoQuote;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Flags of service account tokens. */
final class ServiceAccountFlags {

  /** As in Kubernetes: the maximum of a TokenRequest is 2^32 seconds. */
  private static final Duration MOST = Duration.ofSeconds(1L << 32);

  private static final Duration LEAST = Duration.ofHours(1);

  private final Flag<List<String>> issuers;
  private final Flag<List<Path>> keyFiles;
  private final Flag<@Nullable Path> signingKeyFile;
  private final Flag<Duration> maxExpiration;
  private final Flag<Boolean> extendExpiration;
  private final Flag<Boolean> lookup;
  private final Flag<@Nullable String> jwksUri;

  ServiceAccountFlags(FlagGroup group) {
    issuers =
        group.list(
            "service-account-issuer",
            "URL",
            "Accepted issuers of service account tokens; the first one issues new tokens."
                + " Defaults to "
                + ServiceAccountOptions.DEFAULT_ISSUER
                + ".",
            ServiceAccountFlags::issuer);
    keyFiles =
        group.list(
            "service-account-key-file",
            "FILE",
            "Public or private keys (RSA or EC) in PEM that verify service account tokens."
                + " Defaults to the signing key.",
            Values::path);
    signingKeyFile =
        group.optional(
            "service-account-signing-key-file",
            "FILE",
            "Private key in PEM that signs service account tokens. Generated in the data"
                + " directory if absent.",
            Values::path);
    maxExpiration =
        group.single(
            "service-account-max-token-expiration",
            "DURATION",
            "0",
            "Maximum lifetime of a service account token; 0 sets no maximum.",
            Values::duration);
    extendExpiration =
        group.toggle(
            "service-account-extend-token-expiration",
            true,
            "Extend tokens that kubelets request for pods to one year, for clients that do not"
                + " reload them.");
    lookup =
        group.toggle(
            "service-account-lookup",
            true,
            "Reject tokens of Secrets when the Secret or the service account has been deleted.");
    jwksUri =
        group.optional(
            "service-account-jwks-uri",
            "URL",
            "URL of the JSON Web Key Set in the issuer's discovery document. Defaults to"
                + " /openid/v1/jwks of this server.",
            ServiceAccountFlags::keysUrl);
  }

  ServiceAccountOptions options(Settings settings) {
    List<String> given = settings.value(issuers);
    checkOnce(given);
    List<Path> keys =
        settings.value(keyFiles).stream().map(file -> Checks.readable(keyFiles, file)).toList();
    Path signing = settings.value(signingKeyFile);
    Duration most = settings.value(maxExpiration);
    if (!most.isZero() && (most.compareTo(LEAST) < 0 || most.compareTo(MOST) > 0)) {
      throw new FlagException(
          maxExpiration.dashed()
              + ": the "
              + maxExpiration.name()
              + " must be between 1 hour and 2^32 seconds");
    }
    return new ServiceAccountOptions(
        given.isEmpty() ? List.of(ServiceAccountOptions.DEFAULT_ISSUER) : given,
        keys,
        signing == null ? null : Checks.readable(signingKeyFile, signing),
        most.isZero() ? null : most,
        settings.value(extendExpiration),
        settings.value(lookup),
        settings.value(jwksUri));
  }

  private void checkOnce(List<String> given) {
    Set<String> seen = new HashSet<>();
    for (String issuer : given) {
      if (!seen.add(issuer)) {
        throw new FlagException(
            issuers.dashed() + " " + GoQuote.quote(issuer) + " is already specified");
      }
    }
  }

  /** A name or a URL; a value with a colon must be a valid URL. */
  private static String issuer(String text) {
    if (text.contains(":")) {
      try {
        URI unused = new URI(text);
      } catch (URISyntaxException e) {
        throw new IllegalArgumentException(
            "service-account-issuer "
                + GoQuote.quote(text)
                + " contained a ':' but was not a valid URL: "
                + e.getMessage(),
            e);
      }
    }
    return Values.text(text);
  }

  /** Source: {@code BuiltInAuthenticationOptions.Validate} of kube-apiserver. */
  private static String keysUrl(String text) {
    URI uri;
    try {
      uri = new URI(text).parseServerAuthority();
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "service-account-jwks-uri must be a valid URL: " + e.getMessage(), e);
    }
    if (!"https".equalsIgnoreCase(uri.getScheme())) {
      throw new IllegalArgumentException(
          "service-account-jwks-uri requires https scheme, parsed as: " + uri);
    }
    return text;
  }

  static String https(String text) {
    if (!text.startsWith("https://")) {
      throw new IllegalArgumentException("an https:// URL is expected, found \"" + text + "\"");
    }
    return text;
  }
}
