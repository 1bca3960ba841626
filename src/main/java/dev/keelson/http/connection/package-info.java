/**
 * Between HTTP connections and the API: reads requests on the event loop, holds the deadline of
 * each, and writes answers, streams and watches included. Knows Vert.x; what is asked and what is
 * answered are plain values of the parent package. Begin with {@link
 * dev.keelson.http.connection.RequestReceiver} and {@link dev.keelson.http.connection.Call}.
 */
@NullMarked
package dev.keelson.http.connection;

import org.jspecify.annotations.NullMarked;
