package dev.keelson.admission.eventlimit;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The buckets of a limit by key; the least recently used one makes room for a new one. Safe for use
 * by several threads.
 */
final class Buckets {

  private final Limit limit;
  private final LongSupplier nanoTime;

  /** In the order of use; guarded by this. */
  private final Map<String, TokenBucket> byKey = new LinkedHashMap<>(16, 0.75f, true);

  Buckets(Limit limit, LongSupplier nanoTime) {
    this.limit = limit;
    this.nanoTime = nanoTime;
  }

  Limit limit() {
    return limit;
  }

  /** Takes a token of a key; false if there is none. */
  boolean take(String key) {
    return bucket(key).take();
  }

  private synchronized TokenBucket bucket(String key) {
    TokenBucket known = byKey.get(key);
    if (known == null) {
      if (byKey.size() >= limit.cacheSize()) {
        byKey.remove(byKey.keySet().iterator().next());
      }
      known = new TokenBucket(limit.rate(), limit.burst(), nanoTime);
      byKey.put(key, known);
    }
    return known;
  }
}
