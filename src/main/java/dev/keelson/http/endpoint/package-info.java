/**
 * The HTTP surface: JAX-RS resources whose paths are those of the API, one family a class. A method
 * takes what JAX-RS matched and has the filter chain answer; it knows no resource type and makes no
 * decision. Begin with {@link dev.keelson.http.endpoint.ObjectPaths}.
 */
@NullMarked
package dev.keelson.http.endpoint;

import org.jspecify.annotations.NullMarked;
