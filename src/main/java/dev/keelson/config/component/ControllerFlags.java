package dev.keelson.config.component;

import dev.keelson.api.FeatureGates;
import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.ControllerOptions;
import dev.keelson.value.Cidr;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Flags of the controllers in the server, with the names and defaults of Kubernetes. */
public final class ControllerFlags {

  private static final int MOST_NODES = 10_000;

  private final ControllerNames controllers;
  private final ElectionFlags election;
  private final Flag<@Nullable Boolean> scheduler;
  private final Flag<Integer> simulatedNodes;
  private final Flag<@Nullable Path> stages;
  private final ChoreFlags chores;

  public ControllerFlags(FlagGroup group) {
    controllers = new ControllerNames(group);
    election =
        new ElectionFlags(
            group,
            "Run the controllers in one server at a time, which holds the Lease"
                + " kube-system/kube-controller-manager.");
    scheduler =
        group.optionalToggle(
            "scheduler",
            "Schedule pods, in the server that holds the Lease kube-system/kube-scheduler; the"
                + " default is true with --simulated-nodes, else false.");
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
    chores = new ChoreFlags(group);
  }

  /**
   * The options.
   *
   * @param gates decide whether controllers of such features run
   * @param services the ranges of Services
   * @throws FlagException naming the invalid flag or the conflicting flags
   */
  public ControllerOptions options(Settings settings, FeatureGates gates, List<Cidr> services) {
    ElectionFlags.Terms terms = election.terms(settings);
    int nodes = settings.value(simulatedNodes);
    Path file = settings.value(stages);
    if (file != null && nodes == 0) {
      throw new FlagException(stages.dashed() + " needs " + simulatedNodes.dashed() + " as well");
    }
    Boolean scheduled = settings.value(scheduler);
    return new ControllerOptions(
        controllers.enabled(settings, gates),
        terms.elect(),
        terms.duration(),
        terms.renewDeadline(),
        terms.retryPeriod(),
        scheduled == null ? nodes > 0 : scheduled,
        nodes,
        chores.tokenPeriod(settings),
        chores.signing(settings),
        chores.autoscaler(settings, gates),
        chores.ipam(settings, services),
        chores.silence(settings),
        chores.mostEndedPods(settings),
        file == null ? null : Checks.readable(stages, file));
  }
}
