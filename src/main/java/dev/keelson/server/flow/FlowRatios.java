package dev.keelson.server.flow;

import dev.keelson.flow.level.FlowMetrics.Phase;
import dev.keelson.http.health.Metrics;
import dev.keelson.http.health.TimedRatios;
import dev.keelson.http.health.TimedRatios.Ratio;
import java.util.List;
import java.util.Locale;

/**
 * The metrics of priority and fairness that are weighted by time, with the names, labels and
 * buckets of apiserver's util/flowcontrol/metrics.
 */
final class FlowRatios {

  private static final String LEVEL = "priority_level";
  private static final String PHASE = "phase";

  private static final double[] SEATS = {
    0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1
  };
  private static final double[] REQUESTS = {0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1};
  private static final double[] KINDS = {
    0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1
  };
  private static final double[] DEMAND = {0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6};

  private final TimedRatios seats;
  private final TimedRatios requests;
  private final TimedRatios demand;
  private final Ratio readsWaiting;
  private final Ratio readsExecuting;
  private final Ratio writesWaiting;
  private final Ratio writesExecuting;

  /**
   * The ratios of a priority level.
   *
   * @param seats taken ones to its current limit
   * @param executing executed requests to its current limit of seats
   * @param waiting requests to the places in its queues
   * @param demand seats that are taken or waited for to its nominal limit
   */
  record Level(Ratio seats, Ratio executing, Ratio waiting, Ratio demand) {}

  FlowRatios(Metrics metrics) {
    seats =
        ratios(
            metrics,
            "priority_level_seat_utilization",
            "Taken seats to the limit, observed every nanosecond.",
            List.of(LEVEL, PHASE),
            SEATS);
    requests =
        ratios(
            metrics,
            "priority_level_request_utilization",
            "Requests to their limit, observed every nanosecond.",
            List.of(PHASE, LEVEL),
            REQUESTS);
    demand =
        ratios(
            metrics,
            "demand_seats",
            "Seats that a level could use to its nominal limit, observed every nanosecond.",
            List.of(LEVEL),
            DEMAND);
    TimedRatios kinds =
        ratios(
            metrics,
            "read_vs_write_current_requests",
            "Requests, observed every nanosecond.",
            List.of(PHASE, "request_kind"),
            KINDS);
    readsWaiting = kinds.of(name(Phase.WAITING), "readOnly");
    readsExecuting = kinds.of(name(Phase.EXECUTING), "readOnly");
    writesWaiting = kinds.of(name(Phase.WAITING), "mutating");
    writesExecuting = kinds.of(name(Phase.EXECUTING), "mutating");
  }

  private static TimedRatios ratios(
      Metrics metrics, String name, String help, List<String> labels, double[] bounds) {
    return metrics.ratios(FlowControlMetrics.PREFIX + name, help, labels, bounds, System::nanoTime);
  }

  private static String name(Phase phase) {
    return phase.name().toLowerCase(Locale.ROOT);
  }

  /** The ratios of a priority level; the same ones for the same name. */
  Level level(String name) {
    return new Level(
        seats.of(name, name(Phase.EXECUTING)),
        requests.of(name(Phase.EXECUTING), name),
        requests.of(name(Phase.WAITING), name),
        demand.of(name));
  }

  /** The number of requests of a kind in a phase. */
  Ratio requests(boolean mutating, Phase phase) {
    return switch (phase) {
      case WAITING -> mutating ? writesWaiting : readsWaiting;
      case EXECUTING -> mutating ? writesExecuting : readsExecuting;
    };
  }
}
