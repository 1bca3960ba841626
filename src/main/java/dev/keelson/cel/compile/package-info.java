/**
 * Compiles expressions: text to checked trees with plans. Begin with {@link
 * dev.keelson.cel.compile.ExpressionCompiler}.
 */
@NullMarked
package dev.keelson.cel.compile;

import org.jspecify.annotations.NullMarked;
