package dev.keelson.authn.webhook;

import java.nio.file.Path;
import java.time.Duration;

/**
 * A service that reviews tokens.
 *
 * @param configFile a kubeconfig that says where it is and how to reach it
 * @param version the version of TokenReview that it speaks: v1 or v1beta1
 * @param cacheTtl how long its answers hold
 */
public record WebhookOptions(Path configFile, String version, Duration cacheTtl) {}
