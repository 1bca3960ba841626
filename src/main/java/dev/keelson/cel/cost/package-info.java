/**
 * The cost of expressions before they are evaluated, at worst: what Kubernetes limits when a
 * definition is made. Begin with {@link dev.keelson.cel.cost.CostEstimator}.
 */
@NullMarked
package dev.keelson.cel.cost;

import org.jspecify.annotations.NullMarked;
