package dev.keelson.http.media;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Reason;
import dev.keelson.http.Payload;
import dev.keelson.http.StatusBody;
import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import dev.keelson.registry.ObjectEvent;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.Canonical;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.watch.CacheEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The events of one resource's watches as lines of JSON; each change is encoded once, however many
 * watchers it has.
 */
final class WatchFrames {

  private static final String INITIAL_END = "k8s.io/initial-events-end";
  private static final byte[] END_OF_LINE = {'}', '\n'};

  private final ResourceDefinition definition;
  private final JsonForm json;

  /** Names the encoded form of a change. */
  private record Line(GroupVersionKind kind, ObjectEvent.Type type) {}

  WatchFrames(ResourceDefinition definition, JsonForm json) {
    this.definition = definition;
    this.json = json;
  }

  Payload event(ObjectEvent event) {
    CacheEvent source = event.source();
    return source == null
        ? line(event)
        : source.derive(new Line(definition.gvk(), event.type()), () -> line(event));
  }

  private Payload line(ObjectEvent event) {
    List<Payload.Slice> slices = new ArrayList<>(4);
    JsonForm.add(slices, head(event.type().name()));
    json.object(event.object(), slices);
    JsonForm.add(slices, END_OF_LINE);
    Payload payload = new Payload(slices);
    // shared by many writers: one array is copied faster than four slices
    return event.source() == null ? payload : Payload.of(payload.toByteArray());
  }

  /** Tells how far the watch has come. */
  Payload bookmark(long revision) {
    return bookmark(MapNode.of("resourceVersion", Node.text(Long.toString(revision))));
  }

  /** Tells that the objects that the watch began with have all been sent (KEP-3157). */
  Payload initialEnd(long revision) {
    return bookmark(
        MapNode.of("resourceVersion", Node.text(Long.toString(revision)))
            .with("annotations", MapNode.of(INITIAL_END, Node.text("true"))));
  }

  private Payload bookmark(MapNode metadata) {
    MapNode object =
        MapNode.builder(3)
            .put("kind", Node.text(definition.kind()))
            .put("apiVersion", Node.text(definition.gvk().apiVersion()))
            .put("metadata", metadata)
            .build();
    return line("BOOKMARK", Canonical.form(object, definition.schema()));
  }

  /** The event that tells why the watch ends, if the client can do something about it. */
  Optional<Payload> error(ApiException error) {
    return error.reason() == Reason.EXPIRED
        ? Optional.of(line("ERROR", StatusBody.failure(error)))
        : Optional.empty();
  }

  private static Payload line(String type, MapNode object) {
    List<Payload.Slice> slices = new ArrayList<>(3);
    JsonForm.add(slices, head(type));
    JsonForm.add(slices, ObjectWriter.json(object));
    JsonForm.add(slices, END_OF_LINE);
    return new Payload(slices);
  }

  private static byte[] head(String type) {
    return ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.US_ASCII);
  }
}
