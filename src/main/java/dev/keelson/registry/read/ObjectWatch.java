package dev.keelson.registry.read;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A watch under way: first the objects that it begins with, then the changes. One reader polls, and
 * is woken when there is more; polls never block.
 */
public interface ObjectWatch extends AutoCloseable {

  /**
   * What a poll gives.
   *
   * @param events the next events
   * @param revision a revision from which the watch can be restarted without loss, once these
   *     events have been seen
   * @param initialDone whether all objects that the watch began with have been given
   * @param more whether there is more to poll at once
   * @param end the error that ends the watch after these events, or null; of reason Expired when
   *     the history is gone or the reader was too slow: it has to list again
   */
  record Batch(
      List<ObjectEvent> events,
      long revision,
      boolean initialDone,
      boolean more,
      @Nullable ApiException end) {}

  /** Takes at most {@code most} events. */
  Batch poll(int most);

  /** Whether the reader was too slow and has lost events; the error that a poll then tells. */
  boolean lagged();

  @Override
  void close();

  /** The history that a watch needs is gone. */
  static ApiException expired() {
    return new ApiException(
        Reason.EXPIRED, "The resourceVersion for the provided watch is too old.");
  }

  /** The same, in the words in which kube-apiserver's cache says from where it could be watched. */
  static ApiException expired(long revision, long oldest) {
    return new ApiException(
        Reason.EXPIRED, "too old resource version: " + revision + " (" + oldest + ")");
  }
}
