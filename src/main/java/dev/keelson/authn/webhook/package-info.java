/**
 * Asks a remote service who the bearer of a token is, with TokenReviews. Begin with {@link
 * dev.keelson.authn.webhook.WebhookTokenAuthenticator}.
 */
@NullMarked
package dev.keelson.authn.webhook;

import org.jspecify.annotations.NullMarked;
