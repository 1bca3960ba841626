/**
 * HTTP connections: reads requests on the event loop, enforces deadlines, and writes responses,
 * streams and watches. Uses Vert.x; requests and responses are plain values of the parent package.
 * Begin with {@link dev.keelson.http.connection.RequestReceiver} and {@link
 * dev.keelson.http.connection.Call}.
 */
@NullMarked
package dev.keelson.http.connection;

import org.jspecify.annotations.NullMarked;
