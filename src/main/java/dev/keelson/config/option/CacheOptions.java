package dev.keelson.config.option;

import dev.keelson.api.GroupResource;
import java.util.Map;

/**
 * Which types the watch cache holds. The sizes come from kube-apiserver's flags; here the history
 * follows the rate of change, and only 0 is significant: the type is not cached.
 *
 * @param enabled whether the watch cache is enabled
 * @param defaultSize the size for types that are not in {@code sizes}
 * @param sizes the sizes by resource, from {@code --watch-cache-sizes}
 */
public record CacheOptions(boolean enabled, int defaultSize, Map<GroupResource, Integer> sizes) {

  /** Every type is cached. */
  public static final CacheOptions DEFAULT = new CacheOptions(true, 100, Map.of());

  public CacheOptions {
    sizes = Map.copyOf(sizes);
  }
}
