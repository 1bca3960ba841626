package dev.keelson.admission.plugin;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of admission plugins.
 *
 * @param enabled the enabled plugins
 * @param notReadySeconds the default tolerationSeconds of not-ready nodes
 * @param unreachableSeconds the default tolerationSeconds of unreachable nodes
 * @param configurationFile the file with configurations of plugins; null if there is none
 * @param configurations what the file says, once it is read
 */
public record PluginOptions(
    Set<PluginName> enabled,
    long notReadySeconds,
    long unreachableSeconds,
    @Nullable Path configurationFile,
    Map<PluginName, PluginConfiguration> configurations) {

  /** The default options. */
  public static final PluginOptions DEFAULT = new PluginOptions(PluginName.defaults(), 300, 300);

  public PluginOptions {
    enabled = Set.copyOf(enabled);
    configurations = Map.copyOf(configurations);
  }

  /** Options without a configuration file. */
  public PluginOptions(Set<PluginName> enabled, long notReadySeconds, long unreachableSeconds) {
    this(enabled, notReadySeconds, unreachableSeconds, null, Map.of());
  }

  /** The configuration of a plugin, if the file has one. */
  public Optional<PluginConfiguration> configuration(PluginName name) {
    return Optional.ofNullable(configurations.get(name));
  }

  /** These options with the content of the configuration file. */
  public PluginOptions with(Map<PluginName, PluginConfiguration> read) {
    return new PluginOptions(enabled, notReadySeconds, unreachableSeconds, configurationFile, read);
  }
}
