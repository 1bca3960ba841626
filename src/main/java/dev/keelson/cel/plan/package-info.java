/**
 * Checked expressions as trees of steps that are evaluated: operators, access to data and loops are
 * steps of this package, all other functions are the CEL library's and Kubernetes'. The cost of an
 * evaluation is counted as cel-go and Kubernetes count it. Begin with {@link
 * dev.keelson.cel.plan.Planner}.
 */
@NullMarked
package dev.keelson.cel.plan;

import org.jspecify.annotations.NullMarked;
