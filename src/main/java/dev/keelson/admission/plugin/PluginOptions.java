package dev.keelson.admission.plugin;

import java.util.Set;

/**
 * Which built-in steps run, and how.
 *
 * @param enabled the steps
 * @param notReadySeconds how long a pod stays on a node that is not ready, unless it says otherwise
 * @param unreachableSeconds how long a pod stays on a node that cannot be reached
 */
public record PluginOptions(
    Set<PluginName> enabled, long notReadySeconds, long unreachableSeconds) {

  /** The defaults. */
  public static final PluginOptions DEFAULT = new PluginOptions(PluginName.defaults(), 300, 300);

  public PluginOptions {
    enabled = Set.copyOf(enabled);
  }
}
