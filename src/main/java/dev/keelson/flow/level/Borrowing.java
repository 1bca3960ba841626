package dev.keelson.flow.level;

import dev.keelson.flow.level.SeatAllocation.Claim;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Divides the seats of the server among its levels by what they needed lately (source:
 * apf_controller.go, {@code updateBorrowingLocked}).
 *
 * <p>A level keeps what it used at most in the last period, up to its share, and always what it
 * does not lend. The seats of exempt requests are taken from the others.
 */
record Borrowing(FlowMetrics metrics, long nanos) {

  /** A level that is not exempt, with its claim. */
  private record Borrower(Level level, SeatDemand.Figures figures, Claim claim) {}

  /**
   * Ends a period.
   *
   * @param total the shares of all levels
   */
  void adjust(Collection<Level> levels, int total) {
    List<Borrower> borrowers = new ArrayList<>();
    int left = total;
    for (Level level : levels) {
      SeatDemand.Figures figures = level.demand().endPeriod(nanos);
      if (level.spec().exempt()) {
        int used = (int) Math.max(level.lower, figures.highWatermark());
        left -= used;
        seat(level, figures, figures.smoothed(), used);
      } else {
        double floor = Math.max(level.lower, Math.min(level.nominal, figures.highWatermark()));
        borrowers.add(
            new Borrower(
                level,
                figures,
                new Claim(Math.max(floor, figures.smoothed()), floor, level.upper)));
      }
    }
    divide(left, borrowers);
  }

  private void divide(int left, List<Borrower> borrowers) {
    double least = 0;
    double floors = 0;
    for (Borrower each : borrowers) {
      least += each.level.lower;
      floors += each.claim.lower();
    }
    if (left > floors) {
      SeatAllocation divided =
          SeatAllocation.of(left, borrowers.stream().map(Borrower::claim).toList());
      metrics.fairFraction(divided.fairFraction());
      for (int i = 0; i < borrowers.size(); i++) {
        seat(borrowers.get(i), divided.seats().get(i));
      }
      return;
    }
    // exempt requests use so much that not every level can keep what it used
    double part = left <= least ? 0 : (left - least) / (floors - least);
    metrics.fairFraction(0);
    for (Borrower each : borrowers) {
      seat(each, each.level.lower + (each.claim.lower() - each.level.lower) * part);
    }
  }

  private void seat(Borrower borrower, double seats) {
    seat(borrower.level, borrower.figures, borrower.claim.target(), (int) Math.rint(seats));
  }

  private void seat(Level level, SeatDemand.Figures figures, double target, int seats) {
    level.seat(seats);
    metrics.adjusted(
        level.spec().name(),
        new FlowMetrics.Adjustment(
            figures.average(),
            figures.deviation(),
            figures.highWatermark(),
            figures.smoothed(),
            target,
            seats));
  }
}
