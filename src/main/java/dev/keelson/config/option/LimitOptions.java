package dev.keelson.config.option;

import java.time.Duration;

/**
 * How much may go on at once, and how long it may take.
 *
 * @param maxReads the most requests that read, at one time; 0 is no limit
 * @param maxWrites the most requests that change something, at one time; 0 is no limit
 * @param requestTimeout how long a request may take, unless it is a watch
 * @param minWatchTimeout how long a watch runs at least, if its client does not say
 * @param deleteCollectionWorkers how many objects of one request are deleted at the same time
 * @param eventTtl how long the store keeps an Event that is not written again
 */
public record LimitOptions(
    int maxReads,
    int maxWrites,
    Duration requestTimeout,
    Duration minWatchTimeout,
    int deleteCollectionWorkers,
    Duration eventTtl) {}
