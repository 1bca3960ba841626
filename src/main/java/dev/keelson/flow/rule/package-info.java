/**
 * The classification of requests by FlowSchemas (group {@code flowcontrol.apiserver.k8s.io}): plain
 * values, read from the objects once and asked for every request. Knows no queue and no metric.
 * Begin with {@link dev.keelson.flow.rule.FlowConfiguration}.
 */
@NullMarked
package dev.keelson.flow.rule;

import org.jspecify.annotations.NullMarked;
