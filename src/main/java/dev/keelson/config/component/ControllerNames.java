package dev.keelson.config.component;

import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.kubernetes.KubernetesControllers;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The flag that names the controllers. */
final class ControllerNames {

  private static final String ALL = "*";
  private static final String VERSION_COLLECTOR = "storageversion-garbage-collector-controller";
  private static final String MIGRATOR = "storage-version-migrator-controller";

  private final Flag<List<String>> controllers;

  ControllerNames(FlagGroup group) {
    controllers =
        group.listOr(
            "controllers",
            "NAME",
            ALL,
            "Controllers to run, by their names in kube-controller-manager: * for all that are on"
                + " by default, NAME for one, -NAME for none of that name; -* for none at all.",
            Values::text);
  }

  /** The items as they were given. */
  List<String> items(Settings settings) {
    return settings.value(controllers);
  }

  /**
   * The enabled controllers (source: {@code IsControllerEnabled}): the first mention of a
   * controller counts, and {@code *} for what is not mentioned. A controller of a feature that is
   * off does not run, even if it is named.
   */
  Set<String> enabled(Settings settings, FeatureGates gates) {
    List<String> items = items(settings);
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
    if (!gates.on(Feature.STORAGE_VERSION_MIGRATOR)) {
      enabled.remove(MIGRATOR);
    }
    if (!gates.on(Feature.STORAGE_VERSION_API)) {
      enabled.remove(VERSION_COLLECTOR);
    }
    return enabled;
  }

  private FlagException unknown(String name) {
    return new FlagException(
        controllers.dashed() + ": \"" + name + "\" is not in the list of known controllers");
  }
}
