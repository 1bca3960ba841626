/**
 * The schemas of custom resources as OpenAPI documents publish them (source:
 * apiextensions-apiserver's controller/openapi): what a version of a definition declares, turned
 * into the two versions of OpenAPI. Knows trees alone. Begin with {@link
 * dev.keelson.schema.openapi.custom.PublishedSchema}.
 */
@NullMarked
package dev.keelson.schema.openapi.custom;

import org.jspecify.annotations.NullMarked;
