package dev.keelson.controller.daemonset;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How long failed pods stay, so that a node that rejects a pod does not get another one at once.
 * Safe for use by several threads.
 */
final class FailedPods {

  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofMinutes(15);

  private record Failure(Instant time, Duration delay) {}

  private final Map<String, Failure> failures = new ConcurrentHashMap<>();

  /**
   * The time that a failed pod must wait; zero if it may be deleted now, which is noted.
   *
   * @param key of a DaemonSet and a node
   */
  Duration wait(String key, Instant now) {
    Failure last = failures.get(key);
    if (last != null && now.isBefore(last.time().plus(last.delay()))) {
      return Duration.between(now, last.time().plus(last.delay()));
    }
    Duration next = FIRST;
    if (last != null && now.isBefore(last.time().plus(LONGEST.multipliedBy(2)))) {
      Duration twice = last.delay().multipliedBy(2);
      next = twice.compareTo(LONGEST) > 0 ? LONGEST : twice;
    }
    failures.put(key, new Failure(now, next));
    return Duration.ZERO;
  }

  /** Forgets a DaemonSet, with whose uid the keys begin. */
  void forget(String uid) {
    boolean unused = failures.keySet().removeIf(key -> key.startsWith(uid));
  }
}
