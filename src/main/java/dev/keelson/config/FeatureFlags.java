package dev.keelson.config;

import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** The feature gates. */
final class FeatureFlags {

  private record Gate(Feature feature, boolean on) {}

  private final Flag<List<Gate>> gates;

  FeatureFlags(FlagGroup group) {
    gates =
        group.list(
            "feature-gates",
            "NAME=true|false",
            "Feature gates to enable or disable: " + known() + ".",
            FeatureFlags::gate);
  }

  FeatureGates gates(Settings settings) {
    FeatureGates said = FeatureGates.DEFAULT;
    for (Gate gate : settings.value(gates)) {
      said = said.with(gate.feature, gate.on);
    }
    return said;
  }

  private static String known() {
    return Arrays.stream(Feature.values())
        .map(feature -> feature.word() + " (" + feature.stage() + ", " + feature.byDefault() + ")")
        .collect(Collectors.joining(", "));
  }

  private static Gate gate(String text) {
    int equals = text.indexOf('=');
    String name = (equals < 0 ? text : text.substring(0, equals)).strip();
    if (equals < 0) {
      throw new IllegalArgumentException("missing bool value for " + name);
    }
    Feature feature =
        Feature.ofWord(name)
            .orElseThrow(() -> new IllegalArgumentException("unrecognized feature gate: " + name));
    return new Gate(feature, Values.bool(text.substring(equals + 1).strip()));
  }
}
