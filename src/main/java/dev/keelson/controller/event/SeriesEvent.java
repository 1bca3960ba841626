package dev.keelson.controller.event;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Timestamp;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An Event of {@code events.k8s.io/v1} as it is recorded.
 *
 * @param regarding the object that it is about, in the state that was seen
 * @param related another object of the action; null if there is none
 * @param action what was done or tried
 * @param time when it was
 */
record SeriesEvent(
    ObjectReference regarding,
    @Nullable ObjectReference related,
    String type,
    String reason,
    String action,
    String note,
    Instant time) {

  /** Events that are one series: they differ in their notes and times alone. */
  record Key(
      ObjectReference regarding,
      @Nullable ObjectReference related,
      String type,
      String reason,
      String action) {}

  Key key() {
    return new Key(regarding, related, type, reason, action);
  }

  /**
   * The object to store.
   *
   * @param controller who reports it
   * @param instance the process that does
   */
  ApiObject object(String name, String controller, String instance) {
    MapNode metadata =
        MapNode.of("name", Node.text(name))
            .with("namespace", Node.text(EventNames.namespace(regarding)));
    MapNode.Builder object =
        MapNode.builder(12)
            .put("apiVersion", Node.text("events.k8s.io/v1"))
            .put("kind", Node.text("Event"))
            .put("metadata", metadata)
            .put("eventTime", Node.text(micros(time)))
            .put("reportingController", Node.text(controller))
            .put("reportingInstance", Node.text(instance))
            .put("action", Node.text(action))
            .put("reason", Node.text(reason))
            .put("regarding", regarding.node())
            .put("note", Node.text(note))
            .put("type", Node.text(type));
    if (related != null) {
      object.put("related", related.node());
    }
    return new ApiObject(object.build());
  }

  /** The field {@code series}. */
  static MapNode series(int count, Instant last) {
    return MapNode.of("count", new Node.Int(count))
        .with("lastObservedTime", Node.text(micros(last)));
  }

  private static String micros(Instant time) {
    return Timestamp.print(time.getEpochSecond(), time.getNano(), Timestamp.Precision.MICROS);
  }
}
