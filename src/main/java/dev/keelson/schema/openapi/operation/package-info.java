/**
 * What clients can do on which path, in neither version of OpenAPI: the paths of a resource and of
 * discovery, their operations and parameters, and the types that these need. Knows the catalog and
 * no document. Begin with {@link dev.keelson.schema.openapi.operation.ResourcePaths}.
 */
@NullMarked
package dev.keelson.schema.openapi.operation;

import org.jspecify.annotations.NullMarked;
