package dev.keelson.flow.level;

/**
 * The seats that a level takes or waits for, over time (source: apiserver, util/flowcontrol,
 * fairqueuing/integrator.go and {@code seatDemandStats} in apf_controller.go). Guarded by its own
 * monitor.
 */
final class SeatDemand {

  /** How much of the smoothed demand is left after a period; the half-life is five minutes. */
  private static final double KEPT = 0.977;

  private double current;
  private long since;
  private double seconds;
  private double integral;
  private double squares;
  private double most;
  private Figures figures = new Figures(0, 0, 0, 0);

  /**
   * Of one period.
   *
   * @param average of the demand
   * @param deviation its standard deviation
   * @param highWatermark its maximum
   * @param smoothed the envelope of this period and those before
   */
  record Figures(double average, double deviation, double highWatermark, double smoothed) {}

  SeatDemand(long nanos) {
    since = nanos;
  }

  /** The demand is {@code seats} from {@code nanos} on. */
  synchronized void set(double seats, long nanos) {
    advance(nanos);
    current = seats;
    most = Math.max(most, seats);
  }

  /** Ends a period. */
  synchronized Figures endPeriod(long nanos) {
    advance(nanos);
    if (seconds > 0) {
      double average = integral / seconds;
      double deviation = Math.sqrt(Math.max(0, squares / seconds - average * average));
      double envelope = average + deviation;
      double smoothed = Math.max(envelope, KEPT * figures.smoothed + (1 - KEPT) * envelope);
      figures = new Figures(average, deviation, Math.rint(most), smoothed);
    }
    seconds = 0;
    integral = 0;
    squares = 0;
    most = current;
    return figures;
  }

  /** Of the last period. */
  synchronized Figures figures() {
    return figures;
  }

  private void advance(long nanos) {
    double passed = Math.max(0, nanos - since) / 1e9;
    since = nanos;
    seconds += passed;
    integral += passed * current;
    squares += passed * current * current;
  }
}
