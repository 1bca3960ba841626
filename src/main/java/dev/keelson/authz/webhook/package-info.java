/**
 * Asks another server what may be done, with SubjectAccessReviews, and remembers its answers for a
 * while. Begin with {@link dev.keelson.authz.webhook.WebhookAuthorizer}.
 */
@NullMarked
package dev.keelson.authz.webhook;

import org.jspecify.annotations.NullMarked;
