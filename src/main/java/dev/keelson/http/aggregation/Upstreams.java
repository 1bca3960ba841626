package dev.keelson.http.aggregation;

import dev.keelson.webhook.ServiceResolver;

/**
 * How remote API servers are reached.
 *
 * @param clients the connections to them
 * @param resolver finds the addresses of services
 * @param rejectsRedirects whether a redirect is answered with 502 instead of being passed on
 */
public record Upstreams(
    RemoteClients clients, ServiceResolver resolver, boolean rejectsRedirects) {}
