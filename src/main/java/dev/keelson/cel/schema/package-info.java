/**
 * The rules of custom resources ({@code x-kubernetes-validations}): compiled from structural
 * schemas, checked when a definition is made and evaluated when an object is written. Knows no
 * request. Begin with {@link dev.keelson.cel.schema.SchemaRules}.
 */
@NullMarked
package dev.keelson.cel.schema;

import org.jspecify.annotations.NullMarked;
