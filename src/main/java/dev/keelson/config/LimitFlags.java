package dev.keelson.config;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.LimitOptions;
import java.time.Duration;

/** How much may go on at once, and how long it may take. */
final class LimitFlags {

  private final Flag<Integer> maxReads;
  private final Flag<Integer> maxWrites;
  private final Flag<Duration> requestTimeout;
  private final Flag<Integer> minRequestTimeout;
  private final Flag<Integer> deleteCollectionWorkers;
  private final Flag<Duration> eventTtl;

  LimitFlags(FlagGroup group) {
    maxReads =
        group.single(
            "max-requests-inflight",
            "COUNT",
            "400",
            "The most requests that read, at one time; more are told to come back (429). 0 is no"
                + " limit.",
            Values.integer(0, Integer.MAX_VALUE));
    maxWrites =
        group.single(
            "max-mutating-requests-inflight",
            "COUNT",
            "200",
            "The most requests that change something, at one time; more are told to come back"
                + " (429). 0 is no limit.",
            Values.integer(0, Integer.MAX_VALUE));
    requestTimeout =
        group.single(
            "request-timeout",
            "DURATION",
            "1m",
            "How long a request may take before it is given up (504); watches are not meant.",
            Values::duration);
    minRequestTimeout =
        group.single(
            "min-request-timeout",
            "SECONDS",
            "1800",
            "A watch whose client names no time ends after this many seconds or up to twice as"
                + " many.",
            Values.integer(1, Integer.MAX_VALUE / 2));
    deleteCollectionWorkers =
        group.single(
            "delete-collection-workers",
            "COUNT",
            "1",
            "How many objects of one request that deletes a collection are deleted at the same"
                + " time.",
            Values.integer(1, 1000));
    eventTtl =
        group.single(
            "event-ttl",
            "DURATION",
            "1h",
            "How long Events are kept after they were written last; at least a second.",
            Values::duration);
  }

  LimitOptions options(Settings settings) {
    Duration timeout = settings.value(requestTimeout);
    if (timeout.isZero()) {
      throw new FlagException(requestTimeout.dashed() + ": a duration above 0 is expected");
    }
    Duration kept = settings.value(eventTtl);
    if (kept.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new FlagException(eventTtl.dashed() + ": a duration of at least 1s is expected");
    }
    return new LimitOptions(
        settings.value(maxReads),
        settings.value(maxWrites),
        timeout,
        Duration.ofSeconds(settings.value(minRequestTimeout)),
        settings.value(deleteCollectionWorkers),
        kept);
  }
}
