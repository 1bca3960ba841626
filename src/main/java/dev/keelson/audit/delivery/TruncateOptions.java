package dev.keelson.audit.delivery;

/**
 * Limits on the size of what a back end is sent.
 *
 * @param maxBatchSize larger batches are split; bytes
 * @param maxEventSize larger events lose request and response object, and are dropped if they are
 *     still too large; bytes
 */
public record TruncateOptions(long maxBatchSize, long maxEventSize) {

  /** No limits. */
  public static final TruncateOptions OFF = new TruncateOptions(Long.MAX_VALUE, Long.MAX_VALUE);
}
