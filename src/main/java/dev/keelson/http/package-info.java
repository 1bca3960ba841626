/**
 * HTTP: a handler on Quarkus's server reads a request, runs the filter chain on a virtual thread
 * and writes the response. The layers below do not depend on HTTP. Begin with {@link
 * dev.keelson.http.connection.RequestReceiver} and {@code filter.FilterOrder}.
 */
@NullMarked
package dev.keelson.http;

import org.jspecify.annotations.NullMarked;
