package dev.keelson.server.health;

import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.http.health.Metrics;
import java.util.Map;

/** Registers the metric {@code kubernetes_feature_enabled}. */
public final class FeatureGauges {

  private FeatureGauges() {}

  public static void register(Metrics metrics, FeatureGates gates) {
    for (Feature feature : Feature.values()) {
      metrics.gauge(
          "kubernetes_feature_enabled",
          Map.of("name", feature.word(), "stage", feature.stage().name()),
          () -> gates.on(feature) ? 1 : 0);
    }
  }
}
