/**
 * Validates runtime classes: handler, overhead and scheduling (pkg/apis/node/validation). Begin at
 * {@link dev.keelson.schema.validation.node.NodeKinds}.
 */
@NullMarked
package dev.keelson.schema.validation.node;

import org.jspecify.annotations.NullMarked;
