/**
 * Models of workloads: random changes, failures of pods, and faults, and the rules that every state
 * in between must keep. Begin with {@link dev.keelson.model.WorkloadModel}.
 */
@NullMarked
package dev.keelson.model;

import org.jspecify.annotations.NullMarked;
