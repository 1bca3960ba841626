package dev.keelson.registry.core;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import dev.keelson.registry.Timestamps;
import java.time.InstantSource;
import java.util.Objects;

/**
 * The phase of a new volume is Pending, and the time since a volume is in its phase is known
 * (source: kube-apiserver's strategies of volumes).
 */
public final class VolumeStrategy implements KindStrategy {

  private static final String PHASE = "phase";
  private static final String SINCE = "lastPhaseTransitionTime";

  private final Timestamps timestamps;

  /** A strategy that reads the time from {@code clock}. */
  public VolumeStrategy(InstantSource clock) {
    this.timestamps = new Timestamps(clock);
  }

  @Override
  public ApiObject prepareForCreate(ApiObject object) {
    return object.with(
        "status",
        MapNode.of(PHASE, Node.text("Pending"))
            .with(SINCE, Node.text(object.meta().creationTimestamp())));
  }

  /** A client that changes the phase may say since when; one that does not keeps the time. */
  @Override
  public ApiObject prepareForStatusUpdate(ApiObject object, ApiObject current) {
    MapNode status = object.root().map("status");
    MapNode old = current.root().map("status");
    Node since = status.get(SINCE);
    Node before = old.get(SINCE);
    if (status.text(PHASE).equals(old.text(PHASE))) {
      return since == null && before != null
          ? object.with("status", status.with(SINCE, before))
          : object;
    }
    return since == null || Objects.equals(since, before)
        ? object.with("status", status.with(SINCE, Node.text(timestamps.now())))
        : object;
  }
}
