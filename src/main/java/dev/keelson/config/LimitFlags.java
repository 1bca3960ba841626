package dev.keelson.config;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.LimitOptions;
import java.time.Duration;
import java.util.function.Function;

/** Limits on concurrency and durations. */
final class LimitFlags {

  private static final double MOST_GOAWAY_CHANCE = 0.02;

  /** Threads of one request; more would only wait for the store. */
  private static final int MOST_WORKERS = 1000;

  private final Flag<Integer> maxReads;
  private final Flag<Integer> maxWrites;
  private final Flag<Boolean> fair;
  private final Flag<Duration> requestTimeout;
  private final Flag<Integer> minRequestTimeout;
  private final Flag<Integer> deleteCollectionWorkers;
  private final Flag<Duration> eventTtl;
  private final Flag<Duration> idleTimeout;
  private final Flag<Integer> connectionBytes;
  private final Flag<Double> goAwayChance;

  LimitFlags(FlagGroup group) {
    maxReads =
        group.single(
            "max-requests-inflight",
            "COUNT",
            "400",
            "Maximum number of non-mutating requests in flight; further ones are queued or rejected"
                + " with 429. 0 disables the limit.",
            notNegative("max-requests-inflight"));
    maxWrites =
        group.single(
            "max-mutating-requests-inflight",
            "COUNT",
            "200",
            "Maximum number of mutating requests in flight; further ones are queued or rejected"
                + " with 429. 0 disables the limit.",
            notNegative("max-mutating-requests-inflight"));
    fair =
        group.toggle(
            "enable-priority-and-fairness",
            true,
            "Queue requests fairly by FlowSchemas and PriorityLevelConfigurations, which share the"
                + " sum of --max-requests-inflight and --max-mutating-requests-inflight; false"
                + " applies each of them on its own, without queues.");
    requestTimeout =
        group.single(
            "request-timeout",
            "DURATION",
            "1m",
            "Timeout of a request, except watches; the client gets 504.",
            Values.durationOr("--request-timeout can not be negative value"));
    minRequestTimeout =
        group.single(
            "min-request-timeout",
            "SECONDS",
            "1800",
            "Minimum duration in seconds of a watch without timeoutSeconds; each gets a random"
                + " one of up to twice as long. 0 lets such a watch last until its client ends it.",
            notNegative("min-request-timeout"));
    deleteCollectionWorkers =
        group.single(
            "delete-collection-workers",
            "COUNT",
            "1",
            "Number of objects that one delete-collection request deletes concurrently, up to "
                + MOST_WORKERS
                + "; less than 1 counts as 1.",
            Values.integer(Integer.MIN_VALUE, Integer.MAX_VALUE));
    eventTtl =
        group.single(
            "event-ttl",
            "DURATION",
            "1h",
            "How long to retain Events after their last write, in whole seconds; 0 keeps them.",
            Values::duration);
    idleTimeout =
        group.single(
            "http-idle-timeout",
            "DURATION",
            "1m30s",
            "How long a connection may be open without a request; at least 1s.",
            Values::duration);
    connectionBytes =
        group.single(
            "max-connection-bytes-per-sec",
            "BYTES",
            "0",
            "Bytes a second that each connection gets for its long-running requests: watches, logs,"
                + " exec, attach, port-forward and proxy. 0 disables the limit.",
            Values.integer(0, Integer.MAX_VALUE));
    goAwayChance =
        group.single(
            "goaway-chance",
            "FRACTION",
            "0",
            "Part of the HTTP/2 requests whose connection is closed when its requests are complete"
                + " (GOAWAY), so that clients spread over the servers behind a load balancer; from"
                + " 0 (off) to 0.02. 0.001 is a good value; keep 0 for a single server.",
            Values::decimal);
  }

  /** Whether priority and fairness is on. */
  Flag<Boolean> fair() {
    return fair;
  }

  LimitOptions options(Settings settings) {
    Duration timeout = settings.value(requestTimeout);
    if (timeout.isZero()) {
      throw new FlagException(requestTimeout.dashed() + ": a duration above 0 is expected");
    }
    Duration idle = settings.value(idleTimeout);
    if (idle.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new FlagException(idleTimeout.dashed() + ": a duration of at least 1s is expected");
    }
    double chance = settings.value(goAwayChance);
    if (chance < 0 || chance > MOST_GOAWAY_CHANCE) {
      // source: apiserver, server/options, server_run_options.go
      throw new FlagException(
          goAwayChance.dashed() + " can not be less than 0 or greater than 0.02");
    }
    return new LimitOptions(
        settings.value(maxReads),
        settings.value(maxWrites),
        settings.value(fair),
        timeout,
        Duration.ofSeconds(settings.value(minRequestTimeout)),
        Math.clamp(settings.value(deleteCollectionWorkers), 1, MOST_WORKERS),
        settings.value(eventTtl),
        idle,
        settings.value(connectionBytes),
        chance);
  }

  /** Source: apiserver, server/options, server_run_options.go. */
  private static Function<String, Integer> notNegative(String name) {
    return text -> {
      int value = Values.integer(Integer.MIN_VALUE, Integer.MAX_VALUE).apply(text);
      if (value < 0) {
        throw new IllegalArgumentException("--" + name + " can not be negative value");
      }
      return value;
    };
  }
}
