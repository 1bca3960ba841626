package dev.keelson.server.cache;

import dev.keelson.config.option.CacheOptions;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Decides which types the watch cache holds. A type with several resource names, such as one of an
 * old group, is not cached if one of its names is disabled.
 */
public final class CachedTypes implements Predicate<StoredType> {

  private final ResourceCatalog catalog;
  private final CacheOptions options;
  private final Map<String, Boolean> known = new ConcurrentHashMap<>();
  private volatile Set<String> leftOut = Set.of();

  public CachedTypes(ResourceCatalog catalog, CacheOptions options) {
    this.catalog = catalog;
    this.options = options;
  }

  @Override
  public boolean test(StoredType type) {
    return known.computeIfAbsent(type.keyPrefix(), this::look)
        && !leftOut.contains(type.keyPrefix());
  }

  /**
   * Has types be read from the store until the next call.
   *
   * @param keyPrefixes those of the types, see {@link StoredType#keyPrefix}
   */
  public void leaveOut(Set<String> keyPrefixes) {
    leftOut = Set.copyOf(keyPrefixes);
  }

  /** Drops what is known of a type that is no longer served. */
  public void forget(String keyPrefix) {
    known.remove(keyPrefix);
  }

  private boolean look(String keyPrefix) {
    boolean kept = options.enabled();
    boolean named = false;
    for (ResourceDefinition definition : catalog.snapshot().storedUnder(keyPrefix)) {
      Integer size = options.sizes().get(definition.groupResource());
      if (size != null) {
        named = true;
        kept &= size > 0;
      }
    }
    return kept && (named || options.defaultSize() > 0);
  }
}
