package dev.keelson.config.option;

import java.time.Duration;

/**
 * Limits on concurrency and durations.
 *
 * @param maxReads the maximum number of non-mutating requests in flight; 0 disables the limit
 * @param maxWrites the maximum number of mutating requests in flight; 0 disables the limit
 * @param fair whether requests above the limits are queued by priority and fairness
 * @param requestTimeout the timeout of requests other than watches
 * @param minWatchTimeout the minimum duration of a watch without timeoutSeconds
 * @param deleteCollectionWorkers the number of objects of one request that are deleted concurrently
 * @param eventTtl the retention of Events after their last write
 * @param idleTimeout how long a connection may be without a request
 */
public record LimitOptions(
    int maxReads,
    int maxWrites,
    boolean fair,
    Duration requestTimeout,
    Duration minWatchTimeout,
    int deleteCollectionWorkers,
    Duration eventTtl,
    Duration idleTimeout) {}
