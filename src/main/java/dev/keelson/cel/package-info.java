/**
 * Expressions in the Common Expression Language (CEL, github.com/google/cel-spec), as in
 * Kubernetes' configuration files: compiled once against declared variables, evaluated with a cost
 * limit. The only package that uses the CEL library, which is loaded for the first expression.
 * Begin with {@link dev.keelson.cel.Environment}.
 */
@NullMarked
package dev.keelson.cel;

import org.jspecify.annotations.NullMarked;
