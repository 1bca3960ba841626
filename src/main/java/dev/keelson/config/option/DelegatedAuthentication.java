package dev.keelson.config.option;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Authentication that is delegated to another API server.
 *
 * @param kubeconfig kubeconfig of the other server
 * @param skipLookup whether to use its TokenReviews only, not its client authorities
 * @param tolerateFailure whether to start if its configuration cannot be read
 * @param cacheTtl how long to cache its reviews
 * @param audiences accepted audiences of tokens; empty leaves them to the other server
 */
public record DelegatedAuthentication(
    Path kubeconfig,
    boolean skipLookup,
    boolean tolerateFailure,
    Duration cacheTtl,
    List<String> audiences) {

  public DelegatedAuthentication {
    audiences = List.copyOf(audiences);
  }
}
