package dev.keelson.config.component;

import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.CommandWish;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.AutoscalerOptions;
import dev.keelson.config.option.ComponentOptions;
import dev.keelson.config.option.ComponentOptions.Component;
import dev.keelson.config.option.ControllerOptions;
import dev.keelson.config.option.NodeIpamOptions;
import dev.keelson.config.option.SigningOptions;
import dev.keelson.config.source.CommandFlags;
import dev.keelson.config.source.HelpText;
import dev.keelson.value.Cidr;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All flags of a component that runs alone. Reads their values from the command line, the
 * environment and the defaults, in this order of precedence. Variables of flags that only the
 * server has are ignored: containers set them for it.
 */
public final class ComponentFlags {

  private static final int MOST_VERBOSE = 10;

  /** What client-go takes for 0. */
  private static final double STANDARD_RATE = 5;

  private static final int STANDARD_BURST = 10;

  private final Component component;
  private final CommandFlags flags = new CommandFlags();
  private final Flag<@Nullable Path> kubeconfig;
  private final Flag<Double> rate;
  private final Flag<Integer> burst;
  private final @Nullable Flag<Boolean> accounts;
  private final Flag<Integer> verbosity;
  private final ElectionFlags election;
  private final Flag<String> leaseLock;
  private final Flag<String> leaseNamespace;
  private final Flag<String> leaseName;
  private final @Nullable ControllerNames names;
  private final @Nullable ChoreFlags chores;
  private final @Nullable Flag<List<Cidr>> services;
  private final @Nullable Flag<@Nullable Path> rootAuthorities;
  private final ComponentServingFlags serving;
  private final FeatureFlags features;

  /** The flags of a component. */
  public ComponentFlags(Component component) {
    this.component = component;
    boolean controllers = component == Component.CONTROLLERS;
    FlagGroup client = flags.group("Client");
    kubeconfig =
        client.optional(
            "kubeconfig",
            "FILE",
            "Kubeconfig of the API server, with the user "
                + "system:"
                + component.kubernetes()
                + " or another with its rights. Required.",
            Values::path);
    rate =
        client.single(
            "kube-api-qps",
            "RATE",
            controllers ? "20" : "50",
            "Requests per second of each client in the long run; negative for no limit.",
            Values::decimal);
    burst =
        client.single(
            "kube-api-burst",
            "COUNT",
            controllers ? "30" : "100",
            "Requests of each client at once.",
            Values.integer(0, Integer.MAX_VALUE));
    accounts =
        controllers
            ? client.toggle(
                "use-service-account-credentials",
                false,
                "Let each controller act as its own service account in kube-system, with a token"
                    + " by TokenRequest, in place of the user of the kubeconfig.")
            : null;
    verbosity =
        client.single(
            "v",
            "LEVEL",
            "0",
            "Log level: 0 logs lifecycle events and problems, 4 adds requests, 8 adds libraries.",
            Values.integer(0, MOST_VERBOSE));
    names = controllers ? new ControllerNames(flags.group("Controllers")) : null;
    chores = controllers ? new ChoreFlags(flags.last()) : null;
    services =
        controllers
            ? flags
                .last()
                .single(
                    "service-cluster-ip-range",
                    "CIDR",
                    "",
                    "Ranges of Services, as of the server: no node gets their addresses with"
                        + " --allocate-node-cidrs.",
                    ComponentFlags::ranges)
            : null;
    rootAuthorities =
        controllers
            ? flags
                .last()
                .optional(
                    "root-ca-file",
                    "FILE",
                    "Certificates in PEM by which pods check the API server, for the ConfigMap"
                        + " kube-root-ca.crt of every namespace; the default is those of the"
                        + " kubeconfig.",
                    Values::path)
            : null;
    FlagGroup leader = flags.group("Leader election");
    election =
        new ElectionFlags(
            leader,
            "Act while this process holds the Lease; a process that loses it ends with exit code"
                + " 1.");
    leaseLock =
        leader.single(
            "leader-elect-resource-lock",
            "TYPE",
            "leases",
            "Type of the lock; only leases.",
            ComponentFlags::lock);
    leaseName =
        leader.single(
            "leader-elect-resource-name",
            "NAME",
            component.kubernetes(),
            "Name of the Lease.",
            Values::text);
    leaseNamespace =
        leader.single(
            "leader-elect-resource-namespace",
            "NAME",
            "kube-system",
            "Namespace of the Lease.",
            Values::text);
    serving = new ComponentServingFlags(flags.group("Serving"), component);
    features = new FeatureFlags(flags.group("Features"));
  }

  private static List<Cidr> ranges(String text) {
    return text.isEmpty() ? List.of() : Values.ranges(text);
  }

  private static String lock(String text) {
    if (text.equals("leases")) {
      return text;
    }
    throw Values.expected("leases", text);
  }

  /** The flags by heading. */
  public List<FlagGroup> groups() {
    return flags.groups();
  }

  /**
   * Reads the command line and the environment.
   *
   * @param arguments the command line behind the name of the command
   * @throws FlagException naming the setting that is unknown, malformed or in conflict with another
   */
  public CommandWish<ComponentOptions> read(List<String> arguments, Map<String, String> variables) {
    return flags.read(
        arguments,
        variables,
        /* operands= */ 0,
        groups -> HelpText.ofCommand(component.command(), purpose(), groups),
        (settings, _) -> options(settings));
  }

  private String purpose() {
    return switch (component) {
      case CONTROLLERS -> "Controllers as a client of an API server.";
      case SCHEDULER -> "A scheduler as a client of an API server.";
    };
  }

  private ComponentOptions options(Settings settings) {
    Path file = settings.value(kubeconfig);
    if (file == null) {
      throw new FlagException(kubeconfig.dashed() + " is required");
    }
    String unused = settings.value(leaseLock);
    double perSecond = settings.value(rate);
    int atOnce = settings.value(burst);
    if (perSecond > 0 && atOnce == 0) {
      throw new FlagException(burst.dashed() + " must be greater than 0");
    }
    Flag<Boolean> own = accounts;
    return new ComponentOptions(
        component,
        settings.value(verbosity),
        Checks.readable(kubeconfig, file),
        perSecond == 0 ? STANDARD_RATE : perSecond,
        atOnce == 0 ? STANDARD_BURST : atOnce,
        own != null && settings.value(own),
        settings.value(leaseNamespace),
        settings.value(leaseName),
        controllers(settings),
        authorities(settings),
        serving.options(settings));
  }

  private @Nullable Path authorities(Settings settings) {
    Flag<@Nullable Path> flag = rootAuthorities;
    Path file = flag == null ? null : settings.value(flag);
    return flag == null || file == null ? null : Checks.readable(flag, file);
  }

  private ControllerOptions controllers(Settings settings) {
    ElectionFlags.Terms terms = election.terms(settings);
    return new ControllerOptions(
        names == null ? Set.of() : names.enabled(settings, features.gates(settings)),
        terms.elect(),
        terms.duration(),
        terms.renewDeadline(),
        terms.retryPeriod(),
        component == Component.SCHEDULER,
        /* simulatedNodes= */ 0,
        chores == null ? Duration.ZERO : chores.tokenPeriod(settings),
        chores == null
            ? new SigningOptions(null, Map.of(), Duration.ZERO)
            : chores.signing(settings),
        chores == null
            ? AutoscalerOptions.DEFAULT
            : chores.autoscaler(settings, features.gates(settings)),
        chores == null || services == null
            ? NodeIpamOptions.NONE
            : chores.ipam(settings, settings.value(services)),
        chores == null ? ControllerOptions.Silence.DEFAULT : chores.silence(settings),
        chores == null ? 0 : chores.mostEndedPods(settings),
        null);
  }
}
