/**
 * Validates CustomResourceDefinitions as apiextensions-apiserver does: names, versions, conversion,
 * subresources, columns, and the schemas, which must be structural. Knows no class that checks
 * values or compiles expressions: {@link
 * dev.keelson.schema.validation.apiextensions.DefaultValidation} and {@link
 * dev.keelson.schema.validation.apiextensions.SchemaExpressions} are what it needs of these. Begin
 * at {@code CustomResourceDefinitionRules}, then {@code SpecRules} and {@code SchemaRules}.
 */
@NullMarked
package dev.keelson.schema.validation.apiextensions;

import org.jspecify.annotations.NullMarked;
