/**
 * The options of a request for a resource: which objects and state a read shows, how a write is
 * recorded, and how to delete. They are read from the query or, for a delete, from the body. Begin
 * with {@link dev.keelson.http.options.ListOptions}.
 */
@NullMarked
package dev.keelson.http.options;

import org.jspecify.annotations.NullMarked;
