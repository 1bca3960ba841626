/**
 * The validation of custom objects by their OpenAPI schema, compiled once a version: types,
 * numbers, strings and their formats, arrays, objects, combinations of schemas, sets and maps,
 * embedded objects and scale paths, with Kubernetes' order and words, and its ratcheting: what an
 * update leaves as it is passes. Knows no request and no store; rules in CEL are behind an
 * interface. Begin with {@link dev.keelson.schema.structural.validation.CustomObjectValidation}.
 */
@NullMarked
package dev.keelson.schema.structural.validation;

import org.jspecify.annotations.NullMarked;
