package dev.keelson.http.media;

import dev.keelson.http.Answer;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Body;
import dev.keelson.http.Payload;
import dev.keelson.object.ApiObject;
import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import dev.keelson.registry.GenericRegistry;
import dev.keelson.registry.Listing;
import dev.keelson.registry.ObjectForms;
import dev.keelson.registry.StoredObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StructSchema;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.ProtobufList;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Writes objects, lists and Status in the format that the client accepts. JSON of objects that are
 * stored in the asked shape is spliced from the stored bytes; everything else goes through a tree,
 * of which a list has one at a time where the format allows it.
 */
public final class BodyWriter {

  private static final byte[] NEWLINE = {'\n'};

  private final GenericRegistry registry;
  private final ObjectForms forms;
  private final StructSchema status;
  private final StructSchema listMeta;
  private final JsonForm json;

  /**
   * A writer.
   *
   * @param status the schema of Status
   * @param listMeta the schema of a list's metadata
   */
  public BodyWriter(
      GenericRegistry registry, ObjectForms forms, StructSchema status, StructSchema listMeta) {
    this.registry = registry;
    this.forms = forms;
    this.json = new JsonForm(registry, forms);
    this.status = status;
    this.listMeta = listMeta;
  }

  /** An answer with one object. */
  public Answer object(ApiRequest request, int code, StoredObject object) {
    Representation as = Negotiation.accepted(request);
    if (as.format() == Format.JSON && !Negotiation.pretty(request)) {
      List<Payload.Slice> slices = new ArrayList<>(3);
      json.object(object, slices);
      JsonForm.add(slices, NEWLINE);
      return Answer.of(code, as.mediaType(), new Payload(slices));
    }
    return tree(request, code, as, registry.served(object).root(), object.definition().schema());
  }

  /** An answer with an object that is not stored. */
  public Answer virtual(
      ApiRequest request, int code, ApiObject object, ResourceDefinition definition) {
    Representation as = Negotiation.accepted(request);
    return tree(request, code, as, forms.canonical(object, definition).root(), definition.schema());
  }

  /** An answer with a list. */
  public Answer list(ApiRequest request, Listing listing) {
    Representation as = Negotiation.accepted(request);
    Body payload =
        switch (as.format()) {
          case JSON ->
              Negotiation.pretty(request)
                  ? Payload.of(ObjectWriter.prettyJson(listTree(listing)))
                  : JsonList.of(json, listHead(listing), listing.items());
          case YAML -> Payload.of(ObjectWriter.yaml(listTree(listing)));
          case PROTOBUF -> protobufList(listing);
        };
    return Answer.of(200, as.mediaType(), payload);
  }

  /** An answer with an object that is not stored. */
  public Answer object(ApiRequest request, int code, MapNode object, StructSchema schema) {
    return tree(request, code, Negotiation.accepted(request), object, schema);
  }

  /** An answer with a Status. */
  public Answer status(ApiRequest request, int code, MapNode tree) {
    return tree(request, code, Negotiation.acceptedForError(request), tree, status);
  }

  private static Answer tree(
      ApiRequest request, int code, Representation as, MapNode tree, StructSchema schema) {
    byte[] body =
        switch (as.format()) {
          case JSON ->
              Negotiation.pretty(request)
                  ? ObjectWriter.prettyJson(tree)
                  : withNewline(ObjectWriter.json(tree));
          case YAML -> ObjectWriter.yaml(tree);
          case PROTOBUF -> ObjectWriter.protobuf(tree, schema);
        };
    return Answer.of(code, as.mediaType(), body);
  }

  private MapNode listTree(Listing listing) {
    List<Node> items =
        listing.all().stream()
            .<Node>map(item -> withoutType(registry.served(item).root()))
            .toList();
    return listHead(listing).with("items", new Node.Items(items));
  }

  private static MapNode listHead(Listing listing) {
    return MapNode.builder(4)
        .put("kind", Node.text(listing.definition().kind() + "List"))
        .put("apiVersion", Node.text(listing.definition().gvk().apiVersion()))
        .put("metadata", metadata(listing))
        .build();
  }

  private Payload protobufList(Listing listing) {
    List<Payload.Slice> items = new ArrayList<>();
    long itemBytes = 0;
    Iterator<StoredObject> objects = listing.items();
    while (objects.hasNext()) {
      MapNode object = registry.served(objects.next()).root();
      byte[] item = ProtobufList.item(object, listing.definition().schema());
      itemBytes += item.length;
      JsonForm.add(items, item);
    }
    MapNode head = listHead(listing);
    List<Payload.Slice> slices = new ArrayList<>(items.size() + 2);
    JsonForm.add(
        slices,
        ProtobufList.head(
            head.text("apiVersion"), head.text("kind"), head.map("metadata"), listMeta, itemBytes));
    slices.addAll(items);
    JsonForm.add(slices, ProtobufList.tail());
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

  /** Elements of typed lists do not name their type, as in Kubernetes. */
  private static MapNode withoutType(MapNode object) {
    return object.without("kind").without("apiVersion");
  }

  private static byte[] withNewline(byte[] json) {
    byte[] line = java.util.Arrays.copyOf(json, json.length + 1);
    line[json.length] = '\n';
    return line;
  }
}
