/**
 * Requests to an API server over the network: the way of clients that do not run in the server. It
 * knows neither kubeconfigs nor users. Begin with {@link
 * dev.keelson.client.remote.RemoteTransport}.
 */
@NullMarked
package dev.keelson.client.remote;

import org.jspecify.annotations.NullMarked;
