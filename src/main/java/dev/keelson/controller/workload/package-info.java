/**
 * What the controllers of workloads share: the pods as they see them, creating and deleting pods,
 * adoption, and the expectations that bridge the delay of informers. Begin with {@link
 * dev.keelson.controller.workload.PodFacts}.
 */
@NullMarked
package dev.keelson.controller.workload;

import org.jspecify.annotations.NullMarked;
