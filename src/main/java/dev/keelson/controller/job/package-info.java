/**
 * Runs the pods of Jobs and counts their ends exactly once, by a finalizer on each pod. Begin with
 * {@link dev.keelson.controller.job.JobController}; one look at a Job is {@code JobSync}, what it
 * counts {@code JobTracking}. Sees the API through the client only.
 */
@NullMarked
package dev.keelson.controller.job;

import org.jspecify.annotations.NullMarked;
