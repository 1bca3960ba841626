package dev.keelson.registry.read;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An open watch: first its initial objects, then the changes. One reader polls and is notified of
 * more events; polls never block.
 */
public interface ObjectWatch extends AutoCloseable {

  /**
   * The result of a poll.
   *
   * @param events the next events
   * @param revision a revision from which the watch can be restarted without loss, once these
   *     events have been seen
   * @param initialDone whether all initial objects have been delivered
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

  /** Whether the reader was too slow and has lost events; polls then return an error. */
  boolean lagged();

  @Override
  void close();

  /** Ends a watch whose type has changed; the stream ends without an ERROR event. */
  static ApiException typeChanged() {
    return new ApiException(Reason.SERVICE_UNAVAILABLE, "the type of the watch has changed");
  }

  /** The error for a watch whose history is compacted. */
  static ApiException expired() {
    return new ApiException(
        Reason.EXPIRED, "The resourceVersion for the provided watch is too old.");
  }

  /** The same, with the message of kube-apiserver's cache that names the oldest revision. */
  static ApiException expired(long revision, long oldest) {
    return new ApiException(
        Reason.EXPIRED, "too old resource version: " + revision + " (" + oldest + ")");
  }
}
