package dev.keelson.cel.cost;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of an expression with what is known of its size.
 *
 * @param expression the part; null for the elements of a list
 * @param path how it is reached from a variable; empty if it is not
 * @param type its type
 * @param size its size; null if it is not known
 */
record Sized(@Nullable CelExpr expression, List<String> path, CelType type, @Nullable Range size) {}
