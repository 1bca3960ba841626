/**
 * Places pods on nodes as kube-scheduler with its default configuration: filters, scores,
 * priorities, preemption and binding, by one thread over a model of the cluster that informers
 * keep.
 */
@NullMarked
package dev.keelson.scheduler;

import org.jspecify.annotations.NullMarked;
