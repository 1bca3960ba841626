package dev.keelson.config;

import dev.keelson.api.ApiEnablement;
import dev.keelson.api.FeatureGates;
import dev.keelson.config.component.ControllerFlags;
import dev.keelson.config.component.FeatureFlags;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.kubernetes.KubernetesFlags;
import dev.keelson.config.option.AuthenticationOptions;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.config.option.ServingOptions;
import dev.keelson.config.source.CommandLineArguments;
import dev.keelson.config.source.Environment;
import dev.keelson.config.source.HelpText;
import dev.keelson.config.source.SettingsFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * All flags of the server. Reads their values from the command line, the environment, the settings
 * file and the defaults, in this order of precedence, into one {@link ServerOptions}.
 */
public final class Flags {

  private final List<FlagGroup> groups = new ArrayList<>();
  private final GeneralFlags general = new GeneralFlags(group("General"));
  private final ServingFlags serving = new ServingFlags(group("Serving"));
  private final WebFlags web = new WebFlags(groups.getLast());
  private final AuthenticationFlags authentication =
      new AuthenticationFlags(group("Authentication"));
  private final AuthorizationFlags authorization = new AuthorizationFlags(group("Authorization"));
  private final AdmissionFlags admission = new AdmissionFlags(group("Admission"));
  private final AuditFlags audit = new AuditFlags(group("Audit"));
  private final StorageFlags storage = new StorageFlags(group("Storage"));
  private final EncryptionFlags encryption = new EncryptionFlags(group("Encryption at rest"));
  private final CacheFlags cache = new CacheFlags(group("Watch cache"));
  private final LimitFlags limits = new LimitFlags(group("Limits"));
  private final AggregationFlags aggregation = new AggregationFlags(group("Aggregation"));
  private final KubeletFlags kubelets = new KubeletFlags(group("Kubelets"));
  private final ControllerFlags controllers = new ControllerFlags(group("Controllers"));
  private final FeatureFlags features = new FeatureFlags(group("Features"));
  private final ApiFlags apis = new ApiFlags(group("API enablement"));

  /** What the command line requests. */
  public sealed interface Wish {

    /**
     * Run the server with these options.
     *
     * @param warnings one line for each flag without effect
     */
    record Run(ServerOptions options, List<String> warnings) implements Wish {
      public Run {
        warnings = List.copyOf(warnings);
      }
    }

    /** Print the help text and exit. */
    record Help(String text) implements Wish {}

    /**
     * Print the version and exit.
     *
     * @param raw whether to print all its fields
     */
    record Version(boolean raw) implements Wish {}
  }

  /**
   * Reads the command line and the other sources.
   *
   * @param arguments the command line after the program's name
   * @param variables the environment
   * @throws FlagException naming the setting that is unknown, malformed or in conflict with another
   */
  public Wish read(List<String> arguments, Map<String, String> variables) {
    CommandLineArguments commandLine = new CommandLineArguments(groups);
    return switch (commandLine.parse(arguments)) {
      case CommandLineArguments.Parsed.Help _ -> new Wish.Help(HelpText.of(groups));
      case CommandLineArguments.Parsed.Version version -> new Wish.Version(version.raw());
      case CommandLineArguments.Parsed.Given given -> run(given, variables);
    };
  }

  private Wish run(CommandLineArguments.Parsed.Given given, Map<String, String> variables) {
    List<String> warnings = new ArrayList<>();
    if (!given.others().isEmpty()) {
      warnings.addAll(new KubernetesFlags().warnings(given.others()));
    }
    Settings settings = settings(given.texts(), variables);
    ServerOptions options = options(settings, given.others());
    warnings.addAll(serving.warnings(settings));
    warnings.addAll(authentication.warnings(settings));
    warnings.addAll(features.warnings(settings));
    return new Wish.Run(options, warnings);
  }

  List<FlagGroup> groups() {
    return List.copyOf(groups);
  }

  List<Flag<?>> all() {
    return groups.stream().<Flag<?>>flatMap(group -> group.flags().stream()).toList();
  }

  private Settings settings(Map<String, List<String>> given, Map<String, String> variables) {
    Settings withoutFile = new Settings(given, Environment.read(variables, all()), Map.of());
    Path file = withoutFile.value(general.config());
    return file == null
        ? withoutFile
        : new Settings(given, withoutFile.environment(), SettingsFile.read(file, all()));
  }

  /**
   * @param others the flags of kube-apiserver without effect here
   */
  private ServerOptions options(Settings settings, Map<String, List<String>> others) {
    Path dataDir = general.dataDir(settings);
    ServingOptions served = serving.options(settings, dataDir);
    AuthenticationOptions authenticated = authentication.options(settings);
    FeatureGates gates = features.gates(settings);
    ApiEnablement types = apis.served(settings);
    apis.checkFlowControl(settings, limits.fair());
    return new ServerOptions(
        dataDir,
        general.verbosity(settings),
        general.observation(settings, all(), others),
        served,
        authenticated,
        authorization.options(settings, served, authenticated.anonymous()),
        admission.options(settings),
        audit.options(settings, gates),
        storage.options(settings, dataDir),
        encryption.options(settings),
        cache.options(settings),
        limits.options(settings),
        aggregation.options(settings),
        kubelets.options(settings),
        controllers.options(settings, gates, served.serviceRanges()),
        gates,
        types,
        web.options(settings),
        apis.privileged(settings));
  }

  private FlagGroup group(String heading) {
    FlagGroup group = new FlagGroup(heading);
    groups.add(group);
    return group;
  }
}
