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
    @Nullable Path stages) {

  public ControllerOptions {
    names = Set.copyOf(names);
  }

  /** Whether a controller is enabled. */
  public boolean enabled(String name) {
    return names.contains(name);
  }
}
