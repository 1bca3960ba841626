package dev.keelson.authn.serviceaccount;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How tokens of service accounts are made and read.
 *
 * @param issuers whose tokens are accepted; the first is the name that new tokens carry
 * @param keyFiles keys in PEM, public or private, whose tokens are accepted; without any, the
 *     signing key's
 * @param signingKeyFile the key in PEM that new tokens are signed with; null if the server makes
 *     one
 * @param maxExpiration the longest life of a token; null for no bound
 * @param extendExpiration whether tokens of pods live for a year when they ask for 3607 seconds, as
 *     pods that do not read their token anew need
 * @param lookup whether the objects of old tokens that never end must still exist
 * @param jwksUri where the issuer's keys are, for the discovery document; null is this server
 */
public record ServiceAccountOptions(
    List<String> issuers,
    List<Path> keyFiles,
    @Nullable Path signingKeyFile,
    @Nullable Duration maxExpiration,
    boolean extendExpiration,
    boolean lookup,
    @Nullable String jwksUri) {

  /** The issuer when none is named. */
  public static final String DEFAULT_ISSUER = "https://kubernetes.default.svc.cluster.local";

  public ServiceAccountOptions {
    issuers = List.copyOf(issuers);
    keyFiles = List.copyOf(keyFiles);
  }
}
