/**
 * HTTP in and out: one handler on Quarkus's server collects a request, runs it through the filter
 * chain on a virtual thread and writes the answer. Below this package nothing knows HTTP. Begin
 * with {@link dev.keelson.http.connection.RequestReceiver} and {@code filter.FilterOrder}.
 */
@NullMarked
package dev.keelson.http;

import org.jspecify.annotations.NullMarked;
