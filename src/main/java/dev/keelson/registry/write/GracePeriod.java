package dev.keelson.registry.write;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.Timestamps;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Deletion that gives what the object stands for time to end. Pods alone have it: whoever runs
 * their containers removes them (source: kube-apiserver's pod strategy and {@code BeforeDelete}).
 */
final class GracePeriod {

  private static final GroupVersionKind POD = GroupVersion.CORE_V1.kind("Pod");
  private static final long DEFAULT_SECONDS = 30;

  /** What a delete of a graceful kind comes to. */
  sealed interface Outcome {
    /** The grace period is over or was never set; the object goes like any other. */
    record Over() implements Outcome {}

    /** An earlier delete already asked for as much. */
    record Pending() implements Outcome {}

    /**
     * The period begins or becomes shorter.
     *
     * @param seconds 0 if the object may go at once
     */
    record Begun(ApiObject object, long seconds) implements Outcome {}
  }

  private GracePeriod() {}

  /** Whether objects of a kind, as it is stored, have a grace period. */
  static boolean isFor(GroupVersionKind kind) {
    return kind.equals(POD);
  }

  /** What a delete that asks for {@code asked} seconds, or leaves it to the object, comes to. */
  static Outcome of(ApiObject object, @Nullable Long asked, Timestamps timestamps) {
    ObjectMeta meta = object.meta();
    if (meta.deleting()) {
      long running = running(meta);
      if (running == 0) {
        return new Outcome.Over();
      }
      if (asked == null || atLeastOne(asked) >= running) {
        return new Outcome.Pending();
      }
      long seconds = atLeastOne(asked);
      String end =
          Instant.parse(meta.deletionTimestamp()).minusSeconds(running - seconds).toString();
      return new Outcome.Begun(object.withMeta(marked(meta, end, seconds)), seconds);
    }
    long seconds = period(object, asked);
    ObjectMeta marked = marked(meta, timestamps.inSeconds(seconds), seconds);
    if (meta.generation() > 0) {
      marked = marked.withGeneration(meta.generation() + 1);
    }
    return new Outcome.Begun(object.withMeta(marked), seconds);
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

  private static long period(ApiObject pod, @Nullable Long asked) {
    MapNode spec = pod.root().map("spec");
    String phase = pod.root().map("status").text("phase");
    if (spec.text("nodeName").isEmpty() || phase.equals("Failed") || phase.equals("Succeeded")) {
      return 0;
    }
    if (asked != null) {
      return atLeastOne(asked);
    }
    return spec.get("terminationGracePeriodSeconds") instanceof Node.Int own
        ? atLeastOne(own.value())
        : DEFAULT_SECONDS;
  }

  /** A negative period means one second. */
  private static long atLeastOne(long seconds) {
    return seconds < 0 ? 1 : seconds;
  }
}
