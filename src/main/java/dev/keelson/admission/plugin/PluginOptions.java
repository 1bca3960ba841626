package dev.keelson.admission.plugin;

import java.util.Set;

/**
 * The options of admission plugins.
 *
 * @param enabled the enabled plugins
 * @param notReadySeconds the default tolerationSeconds of not-ready nodes
 * @param unreachableSeconds the default tolerationSeconds of unreachable nodes
 */
public record PluginOptions(
    Set<PluginName> enabled, long notReadySeconds, long unreachableSeconds) {

  /** The default options. */
  public static final PluginOptions DEFAULT = new PluginOptions(PluginName.defaults(), 300, 300);

  public PluginOptions {
    enabled = Set.copyOf(enabled);
  }
}
