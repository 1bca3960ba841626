package dev.keelson.controller.autoscaler;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * What an autoscaler has recommended and done (source: Kubernetes' {@code
 * podautoscaler/horizontal.go}). Confined to the worker that looks at the autoscaler.
 */
final class ScalingHistory {

  private final InstantSource clock;
  private final List<Recommendation> recommendations = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();

  private record Recommendation(int replicas, Instant at) {}

  /** More replicas, or fewer if it is negative. */
  private record Change(int replicas, Instant at) {}

  ScalingHistory(InstantSource clock) {
    this.clock = clock;
  }

  /** Remembers the first number of replicas that is seen as a recommendation. */
  void begin(int replicas) {
    if (recommendations.isEmpty()) {
      recommended(replicas, clock.instant());
    }
  }

  void recommended(int replicas, Instant at) {
    recommendations.add(new Recommendation(replicas, at));
  }

  /** Remembers a recommendation and returns the highest of a window. */
  int highest(int replicas, Duration window) {
    Instant now = clock.instant();
    Instant cutoff = now.minus(window);
    recommendations.removeIf(each -> each.at().isBefore(cutoff));
    int highest = replicas;
    for (Recommendation each : recommendations) {
      highest = Math.max(highest, each.replicas());
    }
    recommended(replicas, now);
    return highest;
  }

  /**
   * Remembers a recommendation and returns what is nearest to the current number between the lowest
   * of a window, to which it rises, and the highest of another, to which it falls.
   */
  int between(int current, int replicas, Duration upWindow, Duration downWindow) {
    Instant now = clock.instant();
    int rise = replicas;
    int fall = replicas;
    for (Recommendation each : recommendations) {
      if (each.at().isAfter(now.minus(upWindow))) {
        rise = Math.min(rise, each.replicas());
      }
      if (each.at().isAfter(now.minus(downWindow))) {
        fall = Math.max(fall, each.replicas());
      }
    }
    Instant cutoff = now.minus(upWindow.compareTo(downWindow) > 0 ? upWindow : downWindow);
    recommendations.removeIf(each -> each.at().isBefore(cutoff));
    recommended(replicas, now);
    return Math.min(Math.max(current, rise), fall);
  }

  /**
   * Remembers that the number of replicas was changed.
   *
   * @param upPeriod how long additions matter to the rules
   * @param downPeriod how long removals matter
   */
  void scaled(int before, int after, Duration upPeriod, Duration downPeriod) {
    Instant now = clock.instant();
    changes.removeIf(
        each -> each.at().isBefore(now.minus(each.replicas() > 0 ? upPeriod : downPeriod)));
    changed(after - before, now);
  }

  void changed(int replicas, Instant at) {
    changes.add(new Change(replicas, at));
  }

  /** The number of replicas at the begin of a period that ends now. */
  int replicasBefore(int current, Duration period) {
    Instant cutoff = clock.instant().minus(period);
    int replicas = current;
    for (Change each : changes) {
      if (each.at().isAfter(cutoff)) {
        replicas -= each.replicas();
      }
    }
    return replicas;
  }
}
