package dev.keelson.http.media;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.http.Answer;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Payload;
import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import dev.keelson.registry.Collection;
import dev.keelson.registry.GenericRegistry;
import dev.keelson.registry.Listing;
import dev.keelson.registry.ObjectForms;
import dev.keelson.registry.StoredObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.Served;
import dev.keelson.schema.codec.Splice;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes objects, lists and Status in the format that the client accepts. JSON of objects that are
 * stored in the asked shape is spliced from the stored bytes; everything else goes through a tree.
 */
public final class BodyWriter {

  private static final byte[] NEWLINE = {'\n'};

  private final GenericRegistry registry;
  private final ObjectForms forms;
  private final Map<ResourceDefinition, Splices> splices = new ConcurrentHashMap<>();

  /** How a resource's stored bytes become JSON: by itself, and as an element of a list. */
  private record Splices(Splice object, Splice item) {}

  public BodyWriter(GenericRegistry registry, ObjectForms forms) {
    this.registry = registry;
    this.forms = forms;
  }

  /** An answer with one object. */
  public Answer object(ApiRequest request, int code, StoredObject object) {
    Format format = Negotiation.accepted(request);
    if (format == Format.JSON && !Negotiation.pretty(request)) {
      Served spliced = splice(object, true);
      if (spliced != null) {
        List<Payload.Slice> slices = new ArrayList<>(3);
        append(slices, spliced);
        append(slices, NEWLINE);
        return Answer.of(code, format.mediaType(), new Payload(slices));
      }
    }
    return tree(request, code, format, registry.served(object).root());
  }

  /** An answer with a list. */
  public Answer list(ApiRequest request, Listing listing) {
    Format format = Negotiation.accepted(request);
    if (format == Format.JSON) {
      Payload payload = jsonList(listing);
      byte[] pretty =
          Negotiation.pretty(request) ? ObjectWriter.pretty(payload.toByteArray()) : null;
      return Answer.of(200, format.mediaType(), pretty == null ? payload : Payload.of(pretty));
    }
    List<Node> items =
        listing.all().stream()
            .<Node>map(item -> withoutType(registry.served(item).root()))
            .toList();
    MapNode list =
        MapNode.builder(4)
            .put("kind", Node.text(listing.definition().kind() + "List"))
            .put("apiVersion", Node.text(listing.definition().gvk().apiVersion()))
            .put("metadata", metadata(listing))
            .put("items", new Node.Items(items))
            .build();
    return tree(request, 200, format, list);
  }

  /** An answer with a Status, or with any other tree that is complete. */
  public Answer status(ApiRequest request, int code, MapNode status) {
    return tree(request, code, Negotiation.acceptedForError(request), status);
  }

  private static Answer tree(ApiRequest request, int code, Format format, MapNode tree) {
    byte[] body =
        switch (format) {
          case JSON ->
              Negotiation.pretty(request)
                  ? ObjectWriter.prettyJson(tree)
                  : withNewline(ObjectWriter.json(tree));
          case YAML -> ObjectWriter.yaml(tree);
        };
    return Answer.of(code, format.mediaType(), body);
  }

  private Payload jsonList(Listing listing) {
    GroupVersionKind kind = listing.definition().gvk();
    MapNode head =
        MapNode.builder(3)
            .put("kind", Node.text(kind.kind() + "List"))
            .put("apiVersion", Node.text(kind.apiVersion()))
            .put("metadata", metadata(listing))
            .build();
    byte[] headJson = ObjectWriter.json(head);
    List<Payload.Slice> slices = new ArrayList<>();
    slices.add(new Payload.Slice(headJson, 0, headJson.length - 1));
    append(slices, ascii(",\"items\":["));
    byte[] comma = ascii(",");
    boolean first = true;
    for (StoredObject item : listing.all()) {
      if (!first) {
        append(slices, comma);
      }
      first = false;
      Served spliced = splice(item, false);
      if (spliced == null) {
        append(slices, ObjectWriter.json(withoutType(registry.served(item).root())));
      } else {
        append(slices, spliced);
      }
    }
    append(slices, ascii("]}\n"));
    return new Payload(slices);
  }

  private static MapNode metadata(Listing listing) {
    MapNode metadata = MapNode.of("resourceVersion", Node.text(Long.toString(listing.revision())));
    if (!listing.token().isEmpty()) {
      metadata = metadata.with("continue", Node.text(listing.token()));
    }
    Long remaining = listing.remaining();
    return remaining == null
        ? metadata
        : metadata.with("remainingItemCount", new Node.Int(remaining));
  }

  private @Nullable Served splice(StoredObject object, boolean alone) {
    ResourceDefinition definition = object.definition();
    if (object.revision() == 0 || !forms.servesStoredShape(definition)) {
      return null;
    }
    Splices ways = splices.computeIfAbsent(definition, BodyWriter::splices);
    return (alone ? ways.object : ways.item).of(object.value().array(), object.revision());
  }

  private static Splices splices(ResourceDefinition definition) {
    GroupVersionKind stored = Collection.storedType(definition).kind();
    return new Splices(Splice.object(stored, definition.gvk()), Splice.listItem(stored));
  }

  /** Elements of typed lists do not name their type, as in Kubernetes. */
  private static MapNode withoutType(MapNode object) {
    return object.without("kind").without("apiVersion");
  }

  private static void append(List<Payload.Slice> slices, byte[] bytes) {
    slices.add(new Payload.Slice(bytes, 0, bytes.length));
  }

  private static void append(List<Payload.Slice> slices, Served served) {
    append(slices, served.head());
    slices.add(
        new Payload.Slice(
            served.stored(), served.offset(), served.stored().length - served.offset()));
  }

  private static byte[] withNewline(byte[] json) {
    byte[] line = java.util.Arrays.copyOf(json, json.length + 1);
    line[json.length] = '\n';
    return line;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
