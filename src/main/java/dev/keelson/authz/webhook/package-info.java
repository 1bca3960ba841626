/**
 * Authorizes requests by SubjectAccessReviews of a webhook and caches the decisions. Begin with
 * {@link dev.keelson.authz.webhook.WebhookAuthorizer}.
 */
@NullMarked
package dev.keelson.authz.webhook;

import org.jspecify.annotations.NullMarked;
