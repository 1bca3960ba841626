/**
 * Expressions in the Common Expression Language (CEL, github.com/google/cel-spec), as in
 * Kubernetes' configuration files: compiled once against declared variables, evaluated with a cost
 * limit. It and the packages below are the only ones that use the CEL library, which is loaded for
 * the first expression. Begin with {@link dev.keelson.cel.Environment}.
 */
@NullMarked
package dev.keelson.cel;

import org.jspecify.annotations.NullMarked;
