/**
 * Puts Swagger 2.0 documents of several servers together (source: kube-openapi's {@code
 * pkg/aggregator}): what a server may document is cut out of its document, and definitions whose
 * names are taken get others. Knows trees alone. Begin with {@link
 * dev.keelson.schema.openapi.merge.SwaggerSpec}.
 */
@NullMarked
package dev.keelson.schema.openapi.merge;

import org.jspecify.annotations.NullMarked;
