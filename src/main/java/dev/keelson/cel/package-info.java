/**
 * Expressions in the Common Expression Language (CEL, github.com/google/cel-spec), as Kubernetes
 * has them in its configuration: compiled once against declared variables, evaluated under a limit
 * of cost. The only package that knows the library; nothing of it is loaded before the first
 * expression. Begin with {@link dev.keelson.cel.Environment}.
 */
@NullMarked
package dev.keelson.cel;

import org.jspecify.annotations.NullMarked;
