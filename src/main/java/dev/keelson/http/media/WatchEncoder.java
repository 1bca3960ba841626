package dev.keelson.http.media;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Reason;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.StatusBody;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.read.ObjectEvent;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.tree.Canonical;
import dev.keelson.watch.CacheEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Encodes the events of one watch. A change is encoded once for all watchers with the same
 * representation.
 */
final class WatchEncoder {

  private static final String INITIAL_END = "k8s.io/initial-events-end";

  private final ResourceDefinition definition;
  private final Format format;
  private final View view;
  private final EventForm form;

  /** The key of an encoded form. */
  private record Line(GroupVersionKind kind, ObjectEvent.Type type, Format format, View view) {}

  WatchEncoder(ResourceDefinition definition, Representation as, EventForm form) {
    this.definition = definition;
    this.format = as.format();
    this.view = as.view();
    this.form = form;
  }

  Payload event(ObjectEvent event) {
    CacheEvent source = event.source();
    return source == null || view instanceof View.Table
        ? new Payload(frame(event))
        : source.derive(
            new Line(definition.gvk(), event.type(), format, view),
            // shared by many watchers: one array is copied faster than four slices
            () -> Payload.of(new Payload(frame(event)).toByteArray()));
  }

  private List<Payload.Slice> frame(ObjectEvent event) {
    List<Payload.Slice> object = new ArrayList<>(4);
    form.object(event.object(), object);
    return form.frame(event.type().name(), object);
  }

  /** Encodes a bookmark. */
  Payload bookmark(long revision) {
    return bookmark(MapNode.of("resourceVersion", Node.text(Long.toString(revision))));
  }

  /** Encodes the bookmark after the initial objects (KEP-3157). */
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
    List<Payload.Slice> slices = new ArrayList<>(3);
    form.bookmark(Canonical.form(object, definition.schema()), slices);
    return new Payload(form.frame("BOOKMARK", slices));
  }

  /** Encodes the ERROR event; empty if the watch ends because the server or its store does. */
  Optional<Payload> error(ApiException error) {
    return error.reason() == Reason.SERVICE_UNAVAILABLE
        ? Optional.empty()
        : Optional.of(error(StatusBody.failure(error)));
  }

  private Payload error(MapNode status) {
    List<Payload.Slice> slices = new ArrayList<>(3);
    form.status(status, slices);
    return new Payload(form.frame("ERROR", slices));
  }
}
