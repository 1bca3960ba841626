package dev.keelson.storage.etcd;

/**
 * The number of entries to request at once. etcd limits a response by its number of entries, not
 * its size; so the size of the last entries is the estimate for the next.
 */
final class PageSize {

  /** Target bytes of a page. */
  private static final long PAGE_BYTES = 8L << 20;

  private static final long FIRST_GUESS = 4096;

  private final int most;

  // races only make the estimate a little worse
  private volatile long entryBytes = FIRST_GUESS;

  PageSize(int most) {
    this.most = most;
  }

  /** For a caller that wants {@code limit}; at least 1. */
  int entries(int limit) {
    return Math.clamp(PAGE_BYTES / entryBytes, 1, Math.min(limit, most));
  }

  /** A page came. */
  void saw(int entries, long bytes) {
    if (entries > 0) {
      entryBytes = Math.max(1, (entryBytes + bytes / entries) / 2);
    }
  }

  /** A page of {@code entries} was more than an answer may hold. */
  void tooMany(int entries) {
    entryBytes = Math.max(entryBytes, CallInterceptor.ANSWER_BYTES / entries);
  }
}
