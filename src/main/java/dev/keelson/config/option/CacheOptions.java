package dev.keelson.config.option;

import dev.keelson.api.GroupResource;
import java.util.Map;

/**
 * Which types the watch cache holds. The sizes come from kube-apiserver's flags; here the history
 * follows the rate of change, and only 0 has a meaning: the type is not cached.
 *
 * @param enabled whether there is a watch cache
 * @param defaultSize size of types that {@code sizes} does not name
 * @param sizes by resource, as {@code --watch-cache-sizes} names them
 */
public record CacheOptions(boolean enabled, int defaultSize, Map<GroupResource, Integer> sizes) {

  /** Every type is cached. */
  public static final CacheOptions DEFAULT = new CacheOptions(true, 100, Map.of());

  public CacheOptions {
    sizes = Map.copyOf(sizes);
  }
}
