package dev.keelson.client.election;

import dev.keelson.client.informer.ObjectName;
import java.time.Duration;

/**
 * How a leader is elected (contract, {@code --leader-elect-*}).
 *
 * @param lease the Lease for which the candidates compete
 * @param identity the name of this candidate, which no other has
 * @param duration how long others wait after the last renewal that they have seen
 * @param renewDeadline how long the leader acts after its last renewal; shorter than the duration
 * @param retryPeriod the time between two attempts; much shorter than the deadline
 */
public record LeaseTerms(
    ObjectName lease,
    String identity,
    Duration duration,
    Duration renewDeadline,
    Duration retryPeriod) {

  public LeaseTerms {
    if (duration.compareTo(renewDeadline) <= 0) {
      throw new IllegalArgumentException("leaseDuration must be greater than renewDeadline");
    }
    // client-go adds a jitter of this factor to the retry period
    if (renewDeadline.toNanos() <= 1.2 * retryPeriod.toNanos()) {
      throw new IllegalArgumentException("renewDeadline must be greater than retryPeriod*1.2");
    }
    if (duration.toSeconds() < 1 || retryPeriod.isZero() || retryPeriod.isNegative()) {
      throw new IllegalArgumentException("leaseDuration must be at least a second");
    }
  }
}
