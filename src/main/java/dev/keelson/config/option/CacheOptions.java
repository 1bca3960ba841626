package dev.keelson.config.option;

import dev.keelson.api.GroupResource;
import java.util.Map;

/**
 * Which types are kept in memory. The numbers are how many changes an older server kept of a type;
 * here the rate of change decides that, and only 0, which is no cache, tells.
 *
 * @param enabled whether there is a cache at all
 * @param defaultSize for the types that {@code sizes} does not name; 0 is no cache
 * @param sizes by resource, as {@code --watch-cache-sizes} names them
 */
public record CacheOptions(boolean enabled, int defaultSize, Map<GroupResource, Integer> sizes) {

  /** Every type is kept. */
  public static final CacheOptions DEFAULT = new CacheOptions(true, 100, Map.of());

  public CacheOptions {
    sizes = Map.copyOf(sizes);
  }
}
