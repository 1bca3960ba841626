package dev.keelson.config.component;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import java.time.Duration;

/** Flags of a leader election, with the names and defaults of Kubernetes' components. */
final class ElectionFlags {

  /** Of client-go, by which it spreads the attempts of candidates. */
  private static final double JITTER = 1.2;

  private final Flag<Boolean> elect;
  private final Flag<Duration> duration;
  private final Flag<Duration> renewDeadline;
  private final Flag<Duration> retryPeriod;

  /** The values of the flags. */
  record Terms(boolean elect, Duration duration, Duration renewDeadline, Duration retryPeriod) {}

  /**
   * @param purpose the help of the flag that switches the election
   */
  ElectionFlags(FlagGroup group, String purpose) {
    elect = group.toggle("leader-elect", true, purpose);
    duration =
        group.single(
            "leader-elect-lease-duration",
            "DURATION",
            "15s",
            "How long other candidates wait after the last renewal of the Lease.",
            Values::duration);
    renewDeadline =
        group.single(
            "leader-elect-renew-deadline",
            "DURATION",
            "10s",
            "How long the leader acts after its last renewal; less than the duration.",
            Values::duration);
    retryPeriod =
        group.single(
            "leader-elect-retry-period",
            "DURATION",
            "2s",
            "Time between two attempts to acquire or renew the Lease.",
            Values::duration);
  }

  /**
   * The terms.
   *
   * @throws FlagException if they do not fit together
   */
  Terms terms(Settings settings) {
    Duration lease = settings.value(duration);
    Duration deadline = settings.value(renewDeadline);
    Duration retry = settings.value(retryPeriod);
    if (lease.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new FlagException(duration.dashed() + " must be at least 1s");
    }
    if (lease.compareTo(deadline) <= 0) {
      throw new FlagException(
          duration.dashed() + " must be greater than " + renewDeadline.dashed());
    }
    if (!retry.isPositive() || deadline.toNanos() <= JITTER * retry.toNanos()) {
      throw new FlagException(
          renewDeadline.dashed() + " must be greater than 1.2 times " + retryPeriod.dashed());
    }
    return new Terms(settings.value(elect), lease, deadline, retry);
  }
}
