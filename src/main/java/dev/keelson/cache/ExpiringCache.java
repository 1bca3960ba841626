package dev.keelson.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache with a time to live for each entry, as {@code utilcache.LRUExpireCache} of
 * kube-apiserver. When it is full, entries that are seldom read make room. Safe for use by several
 * threads; the caller's thread does the maintenance, so there is nothing to close. Caffeine's cache
 * is built by the first call.
 *
 * @param <K> the key; compared with {@code equals}
 * @param <V> the value
 */
public final class ExpiringCache<K extends Object, V extends Object> {

  private final int maxEntries;
  private final InstantSource clock;
  private volatile @Nullable Cache<K, Entry<V>> entries;

  private record Entry<V>(V value, Duration ttl) {}

  /**
   * @param maxEntries maximum number of entries
   * @param clock tells when an entry has expired
   */
  public ExpiringCache(int maxEntries, InstantSource clock) {
    this.maxEntries = maxEntries;
    this.clock = clock;
  }

  private Cache<K, Entry<V>> entries() {
    Cache<K, Entry<V>> known = entries;
    return known == null ? build() : known;
  }

  private synchronized Cache<K, Entry<V>> build() {
    Cache<K, Entry<V>> built = entries;
    if (built == null) {
      built =
          Caffeine.newBuilder()
              .maximumSize(maxEntries)
              .expireAfter(Expiry.<K, Entry<V>>writing((_, entry) -> entry.ttl()))
              .ticker(() -> nanos(clock.instant()))
              .executor(Runnable::run)
              .build();
      entries = built;
    }
    return built;
  }

  /** Returns the value of an entry that has not expired. */
  public Optional<V> get(K key) {
    return Optional.ofNullable(entries().getIfPresent(key)).map(Entry::value);
  }

  /**
   * Adds or replaces an entry.
   *
   * @param ttl how long the entry lives from now on; nothing is cached if it is zero or negative
   */
  public void put(K key, V value, Duration ttl) {
    if (ttl.isPositive()) {
      entries().put(key, new Entry<>(value, ttl));
    }
  }

  /** Returns the number of entries, of which some may have expired. */
  long size() {
    entries().cleanUp();
    return entries().estimatedSize();
  }

  private static long nanos(Instant instant) {
    return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
  }
}
