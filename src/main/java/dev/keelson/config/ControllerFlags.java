package dev.keelson.config;

import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.kubernetes.KubernetesControllers;
import dev.keelson.config.option.ControllerOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Flags of the controllers, with the names and defaults of kube-controller-manager. */
final class ControllerFlags {

  private static final String ALL = "*";
  private static final int MOST_NODES = 10_000;

  /** Of client-go, by which it spreads the attempts of candidates. */
  private static final double JITTER = 1.2;

  private final Flag<List<String>> controllers;
  private final Flag<Boolean> elect;
  private final Flag<Duration> duration;
  private final Flag<Duration> renewDeadline;
  private final Flag<Duration> retryPeriod;
  private final Flag<@Nullable Boolean> scheduler;
  private final Flag<Integer> simulatedNodes;
  private final Flag<@Nullable Path> stages;
  private final Flag<Duration> tokenPeriod;
  private final SigningFlags signing;

  ControllerFlags(FlagGroup group) {
    controllers =
        group.listOr(
            "controllers",
            "NAME",
            ALL,
            "Controllers to run, by their names in kube-controller-manager: * for all that are on"
                + " by default, NAME for one, -NAME for none of that name; -* for none at all.",
            Values::text);
    elect =
        group.toggle(
            "leader-elect",
            true,
            "Run the controllers in one server at a time, which holds the Lease"
                + " kube-system/kube-controller-manager.");
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
    scheduler =
        group.optional(
            "scheduler",
            "BOOL",
            "Schedule pods, in the server that holds the Lease kube-system/kube-scheduler; the"
                + " default is true with --simulated-nodes, else false.",
            Values::bool);
    simulatedNodes =
        group.single(
            "simulated-nodes",
            "COUNT",
            "0",
            "Number of nodes on which pods seem to run, for tests of controllers and"
                + " demonstrations; no container runs.",
            Values.integer(0, MOST_NODES));
    stages =
        group.optional(
            "simulated-nodes-stages",
            "FILE",
            "YAML file that tells how pods of simulated nodes become ready and end.",
            Values::path);
    tokenPeriod =
        group.single(
            "legacy-service-account-token-clean-up-period",
            "DURATION",
            "8760h",
            "How long a service account token in a Secret must not have been used before it is"
                + " marked invalid, and again before it is deleted.",
            Values::duration);
    signing = new SigningFlags(group);
  }

  ControllerOptions options(Settings settings) {
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
    int nodes = settings.value(simulatedNodes);
    Path file = settings.value(stages);
    if (file != null && nodes == 0) {
      throw new FlagException(stages.dashed() + " needs " + simulatedNodes.dashed() + " as well");
    }
    Duration period = settings.value(tokenPeriod);
    if (!period.isPositive()) {
      throw new FlagException(tokenPeriod.dashed() + " must be greater than 0");
    }
    Boolean scheduled = settings.value(scheduler);
    return new ControllerOptions(
        names(settings.value(controllers)),
        settings.value(elect),
        lease,
        deadline,
        retry,
        scheduled == null ? nodes > 0 : scheduled,
        nodes,
        period,
        signing.options(settings),
        file == null ? null : Checks.readable(stages, file));
  }

  /**
   * The enabled controllers (source: {@code IsControllerEnabled}): the first mention of a
   * controller counts, and {@code *} for what is not mentioned.
   */
  private Set<String> names(List<String> items) {
    KubernetesControllers known = new KubernetesControllers();
    Set<String> enabled = new HashSet<>();
    Set<String> mentioned = new HashSet<>();
    for (String item : items) {
      boolean off = item.startsWith("-");
      String name = off ? item.substring(1) : item;
      if (!name.equals(ALL)) {
        String canonical = known.find(name).orElseThrow(() -> unknown(name));
        if (mentioned.add(canonical) && !off) {
          enabled.add(canonical);
        }
      }
    }
    if (items.contains(ALL)) {
      known.names().stream()
          .filter(known::byDefault)
          .filter(name -> !mentioned.contains(name))
          .forEach(enabled::add);
    }
    return enabled;
  }

  private FlagException unknown(String name) {
    return new FlagException(
        controllers.dashed() + ": \"" + name + "\" is not in the list of known controllers");
  }
}
