package dev.keelson.config;

import dev.keelson.admission.plugin.PluginName;
import dev.keelson.admission.plugin.PluginOptions;
import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Flags of the admission plugins. */
final class AdmissionFlags {

  private static final String NAMES =
      Arrays.stream(PluginName.values()).map(PluginName::text).collect(Collectors.joining(", "));

  private static final String DEFAULTS =
      Arrays.stream(PluginName.values())
          .filter(PluginName.defaults()::contains)
          .map(PluginName::text)
          .collect(Collectors.joining(", "));

  private final Flag<List<PluginName>> only;
  private final Flag<List<PluginName>> enable;
  private final Flag<List<PluginName>> disable;
  private final Flag<Integer> notReadySeconds;
  private final Flag<Integer> unreachableSeconds;
  private final Flag<@Nullable Path> configurationFile;

  AdmissionFlags(FlagGroup group) {
    only =
        group.list(
            "admission-control",
            "NAME",
            "Admission plugins to enable in place of the default ones. Deprecated: use"
                + " --enable-admission-plugins or --disable-admission-plugins.",
            AdmissionFlags::name);
    enable =
        group.list(
            "enable-admission-plugins",
            "NAME",
            "Admission plugins to enable in addition to the default ones ("
                + DEFAULTS
                + "). Known plugins: "
                + NAMES
                + ". The order has no effect.",
            AdmissionFlags::name);
    disable =
        group.list(
            "disable-admission-plugins",
            "NAME",
            "Admission plugins to disable although they are enabled by default."
                + " NamespaceLifecycle is always enforced.",
            AdmissionFlags::name);
    notReadySeconds =
        group.single(
            "default-not-ready-toleration-seconds",
            "SECONDS",
            "300",
            "Default tolerationSeconds for the taint notReady:NoExecute of pods that have no"
                + " such toleration.",
            Values.integer(Integer.MIN_VALUE, Integer.MAX_VALUE));
    unreachableSeconds =
        group.single(
            "default-unreachable-toleration-seconds",
            "SECONDS",
            "300",
            "Default tolerationSeconds for the taint unreachable:NoExecute of pods that have"
                + " no such toleration.",
            Values.integer(Integer.MIN_VALUE, Integer.MAX_VALUE));
    configurationFile =
        group.optional(
            "admission-control-config-file",
            "FILE",
            "AdmissionConfiguration with the configurations of admission plugins, for example the"
                + " credentials for webhooks.",
            Values::path);
  }

  PluginOptions options(Settings settings) {
    Set<PluginName> enabled = EnumSet.noneOf(PluginName.class);
    List<PluginName> alone = settings.value(only);
    for (Flag<?> other : List.<Flag<?>>of(enable, disable)) {
      if (!alone.isEmpty() && settings.has(other)) {
        throw new FlagException(
            only.dashed() + " and " + other.dashed() + " flags are mutually exclusive");
      }
    }
    enabled.addAll(alone.isEmpty() ? PluginName.defaults() : alone);
    List<PluginName> on = settings.value(enable);
    List<PluginName> off = settings.value(disable);
    for (PluginName name : on) {
      if (off.contains(name)) {
        throw new FlagException(
            enable.dashed() + " and " + disable.dashed() + " both name " + name.text());
      }
    }
    enabled.addAll(on);
    off.forEach(enabled::remove);
    Path file = settings.value(configurationFile);
    return new PluginOptions(
        enabled,
        settings.value(notReadySeconds),
        settings.value(unreachableSeconds),
        file == null ? null : Checks.readable(configurationFile, file),
        Map.of());
  }

  private static PluginName name(String text) {
    return PluginName.of(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown admission plugin \"" + text + "\"; known plugins: " + NAMES));
  }
}
