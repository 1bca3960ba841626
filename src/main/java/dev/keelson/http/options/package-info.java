/**
 * The options of resource requests: ListOptions, write options and DeleteOptions, from the query
 * or, for a delete, from the body. Begin with {@link dev.keelson.http.options.ListOptions}.
 */
@NullMarked
package dev.keelson.http.options;

import org.jspecify.annotations.NullMarked;
