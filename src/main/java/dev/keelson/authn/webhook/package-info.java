/**
 * Authenticates bearer tokens by TokenReviews of a webhook. Begin with {@link
 * dev.keelson.authn.webhook.WebhookTokenAuthenticator}.
 */
@NullMarked
package dev.keelson.authn.webhook;

import org.jspecify.annotations.NullMarked;
