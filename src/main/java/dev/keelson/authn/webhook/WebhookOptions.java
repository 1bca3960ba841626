package dev.keelson.authn.webhook;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Options of the token review webhook.
 *
 * @param configFile the kubeconfig of the webhook
 * @param version the version of TokenReview: v1 or v1beta1
 * @param cacheTtl how long to cache responses
 */
public record WebhookOptions(Path configFile, String version, Duration cacheTtl) {}
