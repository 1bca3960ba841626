package dev.keelson.http.trail;

import dev.keelson.audit.trail.TrailStore.Entry;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Events of the trail as objects of the API, without apiVersion and kind. */
final class EventObjects {

  private EventObjects() {}

  static ApiObject of(Entry entry) {
    MapNode event = tree(entry);
    String namespace = event.map("objectRef").text("namespace");
    MapNode.Builder metadata = MapNode.builder(5).put("name", Node.text(entry.id()));
    if (!namespace.isEmpty()) {
      metadata.put("namespace", Node.text(namespace));
    }
    byte[] name = entry.id().getBytes(StandardCharsets.UTF_8);
    metadata
        .put("uid", Node.text(UUID.nameUUIDFromBytes(name).toString()))
        .put("resourceVersion", Node.text(Long.toString(entry.position())))
        .put("creationTimestamp", Node.text(seconds(event.text("stageTimestamp"))));
    return new ApiObject(
        event.without("kind").without("apiVersion").with("metadata", metadata.build()));
  }

  /** The event as it was recorded. */
  static MapNode tree(Entry entry) {
    return ObjectReader.untypedJson(entry.json()) instanceof MapNode event ? event : MapNode.EMPTY;
  }

  private static String seconds(String time) {
    int point = time.indexOf('.');
    return point < 0 ? time : time.substring(0, point) + "Z";
  }
}
