package dev.keelson.http.fairness;

import dev.keelson.flow.level.FlowMetrics;
import dev.keelson.flow.level.PriorityLevels;
import dev.keelson.flow.level.WorkEstimator;
import dev.keelson.flow.queue.TimeSource;
import java.time.Duration;

/**
 * What all requests share.
 *
 * @param limitsReads whether non-mutating requests are limited
 * @param limitsWrites whether mutating requests are limited
 * @param requestTimeout the time of a request; it waits a quarter of its own at most
 */
public record FairnessParts(
    PriorityLevels levels,
    WorkEstimator work,
    FlowMetrics metrics,
    TimeSource time,
    boolean limitsReads,
    boolean limitsWrites,
    Duration requestTimeout) {

  boolean limits(boolean mutating) {
    return mutating ? limitsWrites : limitsReads;
  }
}
