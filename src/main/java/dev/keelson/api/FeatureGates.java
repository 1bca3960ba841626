package dev.keelson.api;

import java.util.EnumMap;
import java.util.Map;

/**
 * The enabled features.
 *
 * @param said the features that are set; the others have their defaults
 */
public record FeatureGates(Map<Feature, Boolean> said) {

  /** No feature is set. */
  public static final FeatureGates DEFAULT = new FeatureGates(Map.of());

  public FeatureGates {
    said = Map.copyOf(said);
  }

  /** The same with {@code feature} on or off. */
  public FeatureGates with(Feature feature, boolean on) {
    Map<Feature, Boolean> more = new EnumMap<>(Feature.class);
    more.putAll(said);
    more.put(feature, on);
    return new FeatureGates(more);
  }

  /** Whether a feature is enabled; its own setting overrides that of all features of its stage. */
  public boolean on(Feature feature) {
    Boolean own = said.get(feature);
    if (own != null) {
      return own;
    }
    Feature all = feature.stage() == Feature.Stage.ALPHA ? Feature.ALL_ALPHA : Feature.ALL_BETA;
    return feature == all ? feature.byDefault() : said.getOrDefault(all, feature.byDefault());
  }
}
