package dev.keelson.config.option;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which controllers run in the server, and how their leader is elected.
 *
 * @param names the enabled controllers, by their names in kube-controller-manager
 * @param elect whether the controllers wait for the leadership
 * @param duration how long others wait after the last renewal that they have seen
 * @param renewDeadline how long the leader acts after its last renewal
 * @param retryPeriod the time between two attempts
 * @param scheduler whether pods are scheduled
 * @param simulatedNodes the number of simulated nodes
 * @param tokenPeriod how long a service account token in a Secret must not have been used to be
 *     deleted
 * @param signing who signs requests for certificates
 * @param autoscaler how horizontal pod autoscalers work
 * @param ipam which blocks of addresses nodes get
 * @param silence when nodes are silent, and how fast their pods are evicted
 * @param mostEndedPods how many pods that have ended are kept; 0 and less for all
 * @param stages how they and their pods behave; null for the default
 */
public record ControllerOptions(
    Set<String> names,
    boolean elect,
    Duration duration,
    Duration renewDeadline,
    Duration retryPeriod,
    boolean scheduler,
    int simulatedNodes,
    Duration tokenPeriod,
    SigningOptions signing,
    AutoscalerOptions autoscaler,
    NodeIpamOptions ipam,
    Silence silence,
    int mostEndedPods,
    @Nullable Path stages) {

  /**
   * When nodes are silent, and how fast their pods are evicted.
   *
   * @param period the time between two looks at all nodes
   * @param grace how long a node that has told its conditions may be silent
   * @param startupGrace how long one that has not may be
   * @param evictionRate in nodes per second, in a zone that is well
   * @param secondaryRate in nodes per second, in a large zone where many nodes are not ready
   * @param largeZone more nodes than that make a zone large
   * @param unhealthyShare from this share of nodes that are not ready a zone is not well
   */
  public record Silence(
      Duration period,
      Duration grace,
      Duration startupGrace,
      double evictionRate,
      double secondaryRate,
      int largeZone,
      double unhealthyShare) {

    /** What holds where no flag says it. */
    public static final Silence DEFAULT =
        new Silence(
            Duration.ofSeconds(5),
            Duration.ofSeconds(50),
            Duration.ofMinutes(1),
            0.1,
            0.01,
            50,
            0.55);
  }

  public ControllerOptions {
    names = Set.copyOf(names);
  }

  /** Whether a controller is enabled. */
  public boolean enabled(String name) {
    return names.contains(name);
  }
}
