package dev.keelson.config.option;

import org.jspecify.annotations.Nullable;

/**
 * How the server reaches webhooks and other API servers.
 *
 * @param proxyClient the certificate with which the server shows that it is the front proxy; null
 *     for none
 * @param endpointRouting whether requests to a Service go to one of its endpoints instead of its
 *     cluster IP
 * @param rejectsRedirects whether redirects of remote servers are answered with 502
 */
public record AggregationOptions(
    @Nullable KeyPairFiles proxyClient, boolean endpointRouting, boolean rejectsRedirects) {}
