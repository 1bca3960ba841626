package dev.keelson.api;

import java.util.EnumMap;
import java.util.Map;

/**
 * Which features are on.
 *
 * @param said what was said about single features; the others have their defaults
 */
public record FeatureGates(Map<Feature, Boolean> said) {

  /** Nothing was said. */
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

  /** Whether a feature is on; what was said of it itself goes before what was said of all alpha. */
  public boolean on(Feature feature) {
    Boolean own = said.get(feature);
    if (own != null) {
      return own;
    }
    boolean alpha = feature.stage() == Feature.Stage.ALPHA;
    return (alpha && said.getOrDefault(Feature.ALL_ALPHA, false)) || feature.byDefault();
  }
}
