/**
 * The HTTP surface: JAX-RS resources with the paths of the API, one family per class. A method
 * passes the matched path to the filter chain; it has no logic of resource types. Begin with {@link
 * dev.keelson.http.endpoint.ObjectPaths}.
 */
@NullMarked
package dev.keelson.http.endpoint;

import org.jspecify.annotations.NullMarked;
