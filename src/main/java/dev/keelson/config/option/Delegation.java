package dev.keelson.config.option;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Another server that knows who users are, when this one runs beside it.
 *
 * @param kubeconfig says where it is and who this server is there
 * @param skipLookup whether its configuration is left alone, so that only its TokenReviews count
 * @param tolerateFailure whether the server starts when the configuration cannot be had
 * @param cacheTtl how long its answers hold
 * @param audiences whom tokens must be meant for; empty leaves that to the other server
 */
public record Delegation(
    Path kubeconfig,
    boolean skipLookup,
    boolean tolerateFailure,
    Duration cacheTtl,
    List<String> audiences) {

  public Delegation {
    audiences = List.copyOf(audiences);
  }
}
