package dev.keelson.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.Optional;

/**
 * A bounded cache. When it is full, entries that are seldom read make room. Caffeine's cache is
 * built with the first entry, so that a server that needs none does not load its classes. Safe for
 * use by several threads; the caller's thread does the maintenance, so there is nothing to close.
 *
 * @param <K> the key; compared with {@code equals}
 * @param <V> the value
 */
public final class BoundedCache<K extends Object, V extends Object> {

  private final Lazy<Cache<K, V>> entries;

  /**
   * @param maxEntries at least 1
   */
  public BoundedCache(int maxEntries) {
    entries =
        new Lazy<>(
            () -> Caffeine.newBuilder().maximumSize(maxEntries).executor(Runnable::run).build());
  }

  /** Returns the value of an entry. */
  public Optional<V> get(K key) {
    Cache<K, V> known = entries.known();
    return known == null ? Optional.empty() : Optional.ofNullable(known.getIfPresent(key));
  }

  /** Adds an entry, in place of one with the same key. */
  public void put(K key, V value) {
    entries.get().put(key, value);
  }
}
