package dev.keelson.config.option;

import java.time.Duration;

/**
 * Limits on concurrency and durations.
 *
 * @param maxReads the maximum number of non-mutating requests in flight; 0 disables the limit
 * @param maxWrites the maximum number of mutating requests in flight; 0 disables the limit
 * @param fair whether requests above the limits are queued by priority and fairness
 * @param requestTimeout the timeout of requests other than watches
 * @param minWatchTimeout the minimum duration of a watch without timeoutSeconds; zero for watches
 *     that last until their clients end them
 * @param deleteCollectionWorkers the number of objects of one request that are deleted concurrently
 * @param eventTtl the retention of Events after their last write; less than a second keeps them
 * @param idleTimeout how long a connection may be without a request
 * @param connectionBytesPerSecond the bytes a second of the long-running requests of a connection;
 *     0 for no limit
 * @param goAwayChance the part of the HTTP/2 requests whose client is told to reconnect, from 0 to
 *     0.02
 */
public record LimitOptions(
    int maxReads,
    int maxWrites,
    boolean fair,
    Duration requestTimeout,
    Duration minWatchTimeout,
    int deleteCollectionWorkers,
    Duration eventTtl,
    Duration idleTimeout,
    long connectionBytesPerSecond,
    double goAwayChance) {}
