package dev.keelson.flow.level;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The division of a sum among classes in proportion to their targets, within their bounds (source:
 * apiserver, util/flowcontrol, conc_alloc.go).
 *
 * @param seats of each class, which sum to what was divided as far as the bounds allow
 * @param fairFraction the part of its target that a class has whose bounds do not matter
 */
record SeatAllocation(List<Double> seats, double fairFraction) {

  /** A smaller target counts as this one. */
  private static final double LEAST_TARGET = 0.001;

  /** What a class wants, between its bounds. */
  record Claim(double target, double lower, double upper) {
    Claim {
      target = Math.max(target, LEAST_TARGET);
    }

    double at(double fraction) {
      return Math.clamp(fraction * target, lower, upper);
    }
  }

  SeatAllocation {
    seats = List.copyOf(seats);
  }

  /**
   * Divides a sum. The sum of all classes grows with the fraction, with a kink at each bound: it is
   * a line between two of them.
   *
   * @param sum at least the sum of the lower bounds; what is above the upper ones is not given away
   */
  static SeatAllocation of(double sum, List<Claim> claims) {
    List<Double> kinks = new ArrayList<>();
    for (Claim claim : claims) {
      kinks.add(claim.lower / claim.target);
      kinks.add(claim.upper / claim.target);
    }
    Collections.sort(kinks);
    double fraction = kinks.isEmpty() ? 0 : kinks.getFirst();
    double reached = total(claims, fraction);
    for (double kink : kinks) {
      double next = total(claims, kink);
      if (next >= sum && next > reached) {
        fraction += (kink - fraction) * Math.max(0, sum - reached) / (next - reached);
        break;
      }
      fraction = kink;
      reached = next;
    }
    double found = fraction;
    return new SeatAllocation(claims.stream().map(claim -> claim.at(found)).toList(), found);
  }

  private static double total(List<Claim> claims, double fraction) {
    double total = 0;
    for (Claim claim : claims) {
      total += claim.at(fraction);
    }
    return total;
  }
}
