/**
 * OpenAPI documents (Swagger 2.0 and OpenAPI 3.0, as JSON and in gnostic's protobuf form) of what a
 * catalog serves, built from its structural schemas. Knows no HTTP and no encoding library: JSON
 * and descriptions come in through {@link dev.keelson.schema.openapi.JsonText} and {@link
 * dev.keelson.schema.openapi.Descriptions}. Begin with {@link
 * dev.keelson.schema.openapi.OpenApiDocuments}.
 */
@NullMarked
package dev.keelson.schema.openapi;

import org.jspecify.annotations.NullMarked;
