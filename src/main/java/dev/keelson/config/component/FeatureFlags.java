package dev.keelson.config.component;

import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.kubernetes.KubernetesGates;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The feature gates: those with an effect here, and all others of kube-apiserver by name. */
public final class FeatureFlags {

  private static final String COMPONENT = "kube:";

  private record Gate(String name, boolean on) {}

  private final Flag<List<Gate>> gates;

  public FeatureFlags(FlagGroup group) {
    gates =
        group.list(
            "feature-gates",
            "NAME=true|false",
            "Feature gates to enable or disable: "
                + known()
                + ". The other gates of Kubernetes 1.36 are accepted and have no effect.",
            FeatureFlags::gate);
  }

  /**
   * The gates that have an effect here.
   *
   * @throws FlagException if a gate of Kubernetes is enabled without one that it depends on
   */
  public FeatureGates gates(Settings settings) {
    FeatureGates said = FeatureGates.DEFAULT;
    List<Gate> given = settings.value(gates);
    if (!given.isEmpty()) {
      checkDependencies(given);
    }
    for (Gate gate : given) {
      Optional<Feature> feature = Feature.ofWord(gate.name);
      if (feature.isPresent()) {
        said = said.with(feature.get(), gate.on);
      }
    }
    return said;
  }

  /** One line for each gate that is set and will go, or that has no effect. */
  public List<String> warnings(Settings settings) {
    List<String> warnings = new ArrayList<>();
    for (Gate gate : settings.value(gates)) {
      if (Feature.ofWord(gate.name).isEmpty()) {
        new KubernetesGates()
            .find(gate.name)
            .flatMap(known -> warning(known, gate.on))
            .ifPresent(warnings::add);
      }
    }
    return warnings;
  }

  private static Optional<String> warning(KubernetesGates.Gate known, boolean on) {
    String setting = known.name() + "=" + on;
    return switch (known.stage()) {
      case GA ->
          Optional.of(
              "Setting GA feature gate " + setting + ". It will be removed in a future release.");
      case DEPRECATED ->
          Optional.of(
              "Setting deprecated feature gate "
                  + setting
                  + ". It will be removed in a future release.");
      case ALPHA, BETA ->
          on == known.byDefault()
              ? Optional.empty()
              : Optional.of("--feature-gates: " + setting + " has no effect");
    };
  }

  private void checkDependencies(List<Gate> given) {
    Map<String, Boolean> set = new HashMap<>();
    given.forEach(gate -> set.put(gate.name, gate.on));
    List<String> errors =
        new KubernetesGates()
            .unmetDependencies(
                gate -> {
                  Boolean all =
                      switch (gate.stage()) {
                        case ALPHA -> set.get(Feature.ALL_ALPHA.word());
                        case BETA -> set.get(Feature.ALL_BETA.word());
                        case GA, DEPRECATED -> null;
                      };
                  return set.getOrDefault(gate.name(), all != null ? all : gate.byDefault());
                });
    if (!errors.isEmpty()) {
      throw new FlagException(gates.dashed() + ": " + String.join("; ", errors));
    }
  }

  private static String known() {
    return Arrays.stream(Feature.values())
        .map(feature -> feature.word() + " (" + feature.stage() + ", " + feature.byDefault() + ")")
        .collect(Collectors.joining(", "));
  }

  private static Gate gate(String given) {
    String text = given.startsWith(COMPONENT) ? given.substring(COMPONENT.length()) : given;
    int colon = text.indexOf(':');
    if (colon >= 0) {
      throw new IllegalArgumentException("component not registered: " + text.substring(0, colon));
    }
    int equals = text.indexOf('=');
    String name = (equals < 0 ? text : text.substring(0, equals)).strip();
    if (equals < 0) {
      throw new IllegalArgumentException("missing bool value for " + name);
    }
    String value = text.substring(equals + 1).strip();
    boolean on;
    try {
      on = Values.bool(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "invalid value of " + name + "=" + value + ", err: " + e.getMessage(), e);
    }
    if (Feature.ofWord(name).isEmpty()) {
      check(name, on);
    }
    return new Gate(name, on);
  }

  private static void check(String name, boolean on) {
    KubernetesGates.Gate known =
        new KubernetesGates()
            .find(name)
            .orElseThrow(() -> new IllegalArgumentException("unrecognized feature gate: " + name));
    if (known.locked() && on != known.byDefault()) {
      throw new IllegalArgumentException(
          "cannot set feature gate "
              + name
              + " to "
              + on
              + ", feature is locked to "
              + known.byDefault());
    }
  }
}
