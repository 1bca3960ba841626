/**
 * Discovery and OpenAPI: the served groups, versions and resources. Documents are built from one
 * snapshot of the catalog on the first request and cached until the catalog changes. Independent of
 * connections. Begin with {@link dev.keelson.http.discovery.Discovery}.
 */
@NullMarked
package dev.keelson.http.discovery;

import org.jspecify.annotations.NullMarked;
