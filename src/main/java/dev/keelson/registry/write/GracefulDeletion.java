package dev.keelson.registry.write;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.KindStrategy;
import dev.keelson.registry.Timestamps;
import java.time.Instant;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Computes the graceful deletion of an object (source: the graceful part of kube-apiserver's {@code
 * rest.BeforeDelete}).
 */
final class GracefulDeletion {

  /** The outcome of a delete with a grace period. */
  sealed interface Outcome {
    /** There is no grace period, or it has ended: the object is deleted at once. */
    record None() implements Outcome {}

    /** An earlier delete requested a period as short. */
    record Pending() implements Outcome {}

    /**
     * The period begins or becomes shorter.
     *
     * @param seconds 0 if the object may be removed at once
     */
    record Graceful(ApiObject object, long seconds) implements Outcome {}
  }

  private GracefulDeletion() {}

  /**
   * The outcome of a delete of {@code object}.
   *
   * @param requested the grace period in seconds that the client asks for, or null
   */
  static Outcome of(
      KindStrategy strategy, ApiObject object, @Nullable Long requested, Timestamps timestamps) {
    OptionalLong period = strategy.gracePeriodSeconds(object, requested);
    if (period.isEmpty()) {
      return new Outcome.None();
    }
    ObjectMeta meta = object.meta();
    if (meta.deleting()) {
      long running = running(meta);
      if (running == 0) {
        return new Outcome.None();
      }
      if (requested == null || atLeastOne(requested) >= running) {
        return new Outcome.Pending();
      }
      long seconds = atLeastOne(requested);
      String end =
          Instant.parse(meta.deletionTimestamp()).minusSeconds(running - seconds).toString();
      return new Outcome.Graceful(object.withMeta(marked(meta, end, seconds)), seconds);
    }
    long seconds = atLeastOne(period.getAsLong());
    ObjectMeta marked = marked(meta, timestamps.inSeconds(seconds), seconds);
    if (meta.generation() > 0) {
      marked = marked.withGeneration(meta.generation() + 1);
    }
    return new Outcome.Graceful(object.withMeta(marked), seconds);
  }

  private static ObjectMeta marked(ObjectMeta meta, String end, long seconds) {
    return meta.with("deletionTimestamp", Node.text(end))
        .with("deletionGracePeriodSeconds", new Node.Int(seconds));
  }

  private static long running(ObjectMeta meta) {
    return meta.node().get("deletionGracePeriodSeconds") instanceof Node.Int seconds
        ? atLeastOne(seconds.value())
        : 0;
  }

  /** A negative period means one second. */
  private static long atLeastOne(long seconds) {
    return seconds < 0 ? 1 : seconds;
  }
}
