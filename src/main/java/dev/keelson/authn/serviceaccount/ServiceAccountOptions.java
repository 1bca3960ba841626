package dev.keelson.authn.serviceaccount;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of service account tokens.
 *
 * @param issuers the accepted issuers; the first is the issuer of new tokens
 * @param keyFiles verification keys in PEM, public or private; if empty, the signing key is used
 * @param signingKeyFile the signing key in PEM; null if the server generates one
 * @param maxExpiration the maximum expiration of a token; null for no limit
 * @param extendExpiration whether pod tokens requested for 3607 seconds are valid for a year, for
 *     pods that do not reload their token
 * @param lookup whether the Secret and service account of legacy tokens must exist
 * @param jwksUri the URL of the key set in the discovery document; null for this server
 */
public record ServiceAccountOptions(
    List<String> issuers,
    List<Path> keyFiles,
    @Nullable Path signingKeyFile,
    @Nullable Duration maxExpiration,
    boolean extendExpiration,
    boolean lookup,
    @Nullable String jwksUri) {

  /** The default issuer. */
  public static final String DEFAULT_ISSUER = "https://kubernetes.default.svc.cluster.local";

  public ServiceAccountOptions {
    issuers = List.copyOf(issuers);
    keyFiles = List.copyOf(keyFiles);
  }
}
