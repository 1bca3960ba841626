package dev.keelson.cache;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A bounded cache with a time to live for each entry, as {@code utilcache.LRUExpireCache} of
 * kube-apiserver. When it is full, entries that are seldom read make room. Safe for use by several
 * threads; the caller's thread does the maintenance, so there is nothing to close. Caffeine's cache
 * is built with the first entry.
 *
 * @param <K> the key; compared with {@code equals}
 * @param <V> the value
 */
public final class ExpiringCache<K extends Object, V extends Object> {

  private final Lazy<Cache<K, Entry<V>>> entries;

  private record Entry<V>(V value, Duration ttl) {}

  /**
   * @param maxEntries maximum number of entries
   * @param clock tells when an entry has expired
   */
  public ExpiringCache(int maxEntries, InstantSource clock) {
    entries =
        new Lazy<>(
            () ->
                Caffeine.newBuilder()
                    .maximumSize(maxEntries)
                    .expireAfter(Expiry.<K, Entry<V>>writing((_, entry) -> entry.ttl()))
                    .ticker(() -> nanos(clock.instant()))
                    .executor(Runnable::run)
                    .build());
  }

  /** Returns the value of an entry that has not expired. */
  public Optional<V> get(K key) {
    Cache<K, Entry<V>> known = entries.known();
    return known == null
        ? Optional.empty()
        : Optional.ofNullable(known.getIfPresent(key)).map(Entry::value);
  }

  /**
   * Adds or replaces an entry.
   *
   * @param ttl how long the entry lives from now on; nothing is cached if it is zero or negative
   */
  public void put(K key, V value, Duration ttl) {
    if (ttl.isPositive()) {
      entries.get().put(key, new Entry<>(value, ttl));
    }
  }

  /** Returns the number of entries, of which some may have expired. */
  public long size() {
    entries.get().cleanUp();
    return entries.get().estimatedSize();
  }

  private static long nanos(Instant instant) {
    return TimeUnit.SECONDS.toNanos(instant.getEpochSecond()) + instant.getNano();
  }
}
