package dev.keelson.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache. When it is full, entries that are seldom read make room. Caffeine's cache is
 * built with the first entry, so that a server that needs none does not load its classes. Safe for
 * use by several threads; the caller's thread does the maintenance, so there is nothing to close.
 *
 * @param <K> the key; compared with {@code equals}
 * @param <V> the value
 */
public final class BoundedCache<K extends Object, V extends Object> {

  private final int maxEntries;
  private volatile @Nullable Cache<K, V> entries;

  /**
   * @param maxEntries at least 1
   */
  public BoundedCache(int maxEntries) {
    this.maxEntries = maxEntries;
  }

  /** Returns the value of an entry. */
  public Optional<V> get(K key) {
    Cache<K, V> known = entries;
    return known == null ? Optional.empty() : Optional.ofNullable(known.getIfPresent(key));
  }

  /** Adds an entry, in place of one with the same key. */
  public void put(K key, V value) {
    Cache<K, V> known = entries;
    (known == null ? build() : known).put(key, value);
  }

  private synchronized Cache<K, V> build() {
    Cache<K, V> built = entries;
    if (built == null) {
      built = Caffeine.newBuilder().maximumSize(maxEntries).executor(Runnable::run).build();
      entries = built;
    }
    return built;
  }
}
