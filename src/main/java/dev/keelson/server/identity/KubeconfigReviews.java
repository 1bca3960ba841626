package dev.keelson.server.identity;

import dev.keelson.authz.webhook.ReviewService;
import dev.keelson.server.lifecycle.FileReloader;
import java.nio.file.Path;
import java.time.Duration;

/** Clients of webhooks that are named by a kubeconfig, which is reloaded when it changes. */
public final class KubeconfigReviews {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private KubeconfigReviews() {}

  /**
   * A client of the server of a kubeconfig.
   *
   * @param flag the flag that leads to the file, for errors
   * @throws dev.keelson.server.lifecycle.StartupException if it is not a kubeconfig of an HTTPS
   *     server
   */
  public static ReviewService of(FileReloader files, String flag, Path kubeconfig) {
    return new WebhookClient(RemoteKubeconfig.follow(files, flag, kubeconfig, TIMEOUT));
  }
}
