/**
 * Conversion of custom objects by webhooks: builds and reads ConversionReviews, and guards what a
 * webhook may change. Knows nothing of the store; how a webhook is reached is {@link
 * dev.keelson.webhook}'s. Begin with {@link dev.keelson.registry.conversion.WebhookConverter}.
 */
@NullMarked
package dev.keelson.registry.conversion;

import org.jspecify.annotations.NullMarked;
