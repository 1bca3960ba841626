package dev.keelson.server.identity.configuration;

import dev.keelson.authz.webhook.WebhookAuthorizer.Terms;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The webhook of an authorizer.
 *
 * @param kubeconfig the file with its server
 * @param timeout of one request
 * @param terms how it is called
 */
public record ConfiguredWebhook(Path kubeconfig, Duration timeout, Terms terms) {}
