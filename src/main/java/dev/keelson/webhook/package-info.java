/**
 * Calls of webhooks that objects of the API declare: a {@code clientConfig} with a URL or a Service
 * and a CA bundle. Resolves Services to addresses, also for the aggregation proxy, and bounds time,
 * size and number of calls. Knows no kind of review: callers send and receive JSON. Begin with
 * {@link dev.keelson.webhook.WebhookClient}.
 */
@NullMarked
package dev.keelson.webhook;

import org.jspecify.annotations.NullMarked;
