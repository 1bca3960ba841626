package dev.keelson.config;

import dev.keelson.authn.serviceaccount.ServiceAccountOptions;
import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How tokens of service accounts are made and read. */
final class ServiceAccountFlags {

  /** As in Kubernetes: 2^32 seconds are the most that a request may ask for. */
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
            "Whose service account tokens are accepted; the first is the issuer of new ones. "
                + ServiceAccountOptions.DEFAULT_ISSUER
                + " if absent.",
            ServiceAccountFlags::issuer);
    keyFiles =
        group.list(
            "service-account-key-file",
            "FILE",
            "Keys in PEM (RSA or EC, public or private) whose service account tokens are accepted;"
                + " the signing key if absent.",
            Values::path);
    signingKeyFile =
        group.optional(
            "service-account-signing-key-file",
            "FILE",
            "The private key in PEM that signs service account tokens; made in the data directory"
                + " if absent.",
            Values::path);
    maxExpiration =
        group.single(
            "service-account-max-token-expiration",
            "DURATION",
            "0",
            "The longest life of a service account token; 0 is no bound.",
            Values::duration);
    extendExpiration =
        group.toggle(
            "service-account-extend-token-expiration",
            true,
            "Whether tokens that kubelets ask for on behalf of pods live for a year, for clients"
                + " that do not reload them.");
    lookup =
        group.toggle(
            "service-account-lookup",
            true,
            "Whether tokens from Secrets end when their Secret or account is deleted.");
    jwksUri =
        group.optional(
            "service-account-jwks-uri",
            "URL",
            "Where the discovery document says that the keys are; /openid/v1/jwks of this server if"
                + " absent.",
            ServiceAccountFlags::https);
  }

  ServiceAccountOptions options(Settings settings) {
    List<String> given = settings.value(issuers);
    List<Path> keys =
        settings.value(keyFiles).stream().map(file -> Checks.readable(keyFiles, file)).toList();
    Path signing = settings.value(signingKeyFile);
    Duration most = settings.value(maxExpiration);
    if (!most.isZero() && (most.compareTo(LEAST) < 0 || most.compareTo(MOST) > 0)) {
      throw new FlagException(
          maxExpiration.dashed() + ": from 1h to 2^32 seconds is expected, found " + most);
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

  /** A name, or a URL: what looks like a URL must be one. */
  private static String issuer(String text) {
    if (text.contains(":")) {
      try {
        java.net.URI unused = new java.net.URI(text);
      } catch (java.net.URISyntaxException e) {
        throw new IllegalArgumentException(
            "a name or a URL is expected, found \"" + text + "\"", e);
      }
    }
    return Values.text(text);
  }

  static String https(String text) {
    if (!text.startsWith("https://")) {
      throw new IllegalArgumentException("an https:// URL is expected, found \"" + text + "\"");
    }
    return text;
  }
}
