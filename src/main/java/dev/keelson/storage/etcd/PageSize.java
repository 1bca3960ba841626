package dev.keelson.storage.etcd;

/**
 * How many entries to ask for at once. etcd bounds an answer by its number of entries only, while
 * what hurts is its size; so the size of those seen last is taken as a guess for the next.
 */
final class PageSize {

  /** What a page should come to. */
  private static final long PAGE_BYTES = 8L << 20;

  private static final long FIRST_GUESS = 4096;

  private final int most;

  // races only make the guess a little worse
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
