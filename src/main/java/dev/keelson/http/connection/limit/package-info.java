/**
 * What connections and requests may take of the memory of the process before it is known whose they
 * are, and after: bounds that all connections share. A bound is a number of bytes that callers take
 * and give back; nothing here reads or writes a connection.
 */
@NullMarked
package dev.keelson.http.connection.limit;

import org.jspecify.annotations.NullMarked;
