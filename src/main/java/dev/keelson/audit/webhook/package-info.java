/**
 * The webhook back end: batches of events as EventLists, posted with retries. Knows no connection;
 * the server gives it one. Begin with {@link dev.keelson.audit.webhook.WebhookWriter}.
 */
@NullMarked
package dev.keelson.audit.webhook;

import org.jspecify.annotations.NullMarked;
