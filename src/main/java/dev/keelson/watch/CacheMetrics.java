package dev.keelson.watch;

import dev.keelson.storage.Bytes;

/** Records what the caches of the types do. Called on any thread; must be fast and not block. */
public interface CacheMetrics {

  /** Records nothing. */
  CacheMetrics NONE = (prefix, cache) -> OfType.NONE;

  /**
   * Returns the metrics of a type whose cache is made.
   *
   * @param prefix the prefix of its keys
   */
  OfType of(Bytes prefix, CacheFigures cache);

  /** The metrics of one type. */
  interface OfType {

    /** Records nothing. */
    OfType NONE =
        new OfType() {
          @Override
          public void told(int events) {}

          @Override
          public void applied(int events) {}

          @Override
          public void loaded() {}

          @Override
          public void waited(long nanos) {}

          @Override
          public void readFresh(boolean success, boolean fallback) {}
        };

    /** The store has told of so many changes. */
    void told(int events);

    /** So many changes were applied to the cache and offered to its watchers. */
    void applied(int events);

    /** The cache was loaded from the store. */
    void loaded();

    /** A read waited so long for the cache to reach a revision. */
    void waited(long nanos);

    /**
     * A consistent read looked at the cache.
     *
     * @param success false if the store did not tell its revision
     * @param fallback whether the read goes to the store, which the cache did not reach in time
     */
    void readFresh(boolean success, boolean fallback);
  }
}
