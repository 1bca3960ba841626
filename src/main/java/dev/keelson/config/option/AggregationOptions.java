package dev.keelson.config.option;

/**
 * How the server reaches webhooks and other API servers.
 *
 * @param endpointRouting whether requests to a Service go to one of its endpoints instead of its
 *     cluster IP
 */
public record AggregationOptions(boolean endpointRouting) {}
