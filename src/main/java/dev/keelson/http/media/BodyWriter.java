package dev.keelson.http.media;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.EncodingSpan;
import dev.keelson.http.media.View.IncludeObject;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.Listing;
import dev.keelson.request.Latencies;
import dev.keelson.request.Span;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.protobuf.ProtobufList;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/**
 * Encodes objects, lists and Status in the negotiated format. JSON of objects stored in the
 * requested version is spliced from the stored bytes; everything else is encoded from a tree, for
 * lists one at a time if the format allows it.
 */
public final class BodyWriter {

  private static final byte[] NEWLINE = {'\n'};

  /** Maximum size of cached encoded forms, as a share of the heap and in bytes. */
  private static final int ENCODED_SHARE = 8;

  private static final long MOST_ENCODED = 512L << 20;

  /** Cells are that much smaller than objects. */
  private static final int CELLS_SHARE = 4;

  private final GenericRegistry registry;
  private final ObjectCodec codec;
  private final MetaSchemas schemas;
  private final JsonForm json;
  private final ObjectViews views;
  private final InstantSource clock;
  private final EncodedForms<byte[]> encoded = new EncodedForms<>(budget(1), form -> form.length);
  private final EncodedForms<RowForm.Shown> cells =
      new EncodedForms<>(budget(CELLS_SHARE), RowForm.Shown::size);

  /**
   * @param clock supplies the time for ages
   */
  public BodyWriter(
      GenericRegistry registry, ObjectCodec codec, MetaSchemas schemas, InstantSource clock) {
    this.registry = registry;
    this.codec = codec;
    this.json = new JsonForm(registry, codec);
    this.schemas = schemas;
    this.clock = clock;
    this.views = new ObjectViews(registry, schemas, clock);
  }

  private static long budget(int share) {
    return Math.min(Runtime.getRuntime().maxMemory() / ENCODED_SHARE, MOST_ENCODED) / share;
  }

  /** Creates a response with a stored object. */
  public ApiResponse object(ApiRequest request, int code, StoredObject object) {
    Representation as = Negotiation.accepted(request, object.definition());
    long begin = Latencies.begin();
    return switch (as.view()) {
      case View.Whole _ -> whole(request, code, as, object);
      case View.Table table -> {
        IncludeObject include = IncludeObject.of(request);
        MapNode tree = views.tableOf(object, table.apiVersion(), include);
        Latencies.end(Latencies.Layer.TRANSFORM, begin);
        yield tree(request, code, as, tree, schemas.partial());
      }
      case View.Metadata metadata -> {
        if (metadata.list()) {
          throw notThatView(metadata, "not a list", object.definition(), "");
        }
        MapNode tree = views.metadata(object, metadata.apiVersion());
        Latencies.end(Latencies.Layer.TRANSFORM, begin);
        yield tree(request, code, as, tree, schemas.partial());
      }
    };
  }

  private static ApiException notThatView(
      View.Metadata view, String what, ResourceDefinition definition, String suffix) {
    String group = definition.gvr().group();
    int dot = group.indexOf('.');
    String place = group.isEmpty() ? "core" : dot < 0 ? group : group.substring(0, dot);
    return new ApiException(
        Reason.NOT_ACCEPTABLE,
        "you requested PartialObjectMetadata"
            + (view.list() ? "List" : "")
            + ", but the requested object is "
            + what
            + " (*"
            + place
            + "."
            + definition.kind()
            + suffix
            + ")");
  }

  private ApiResponse whole(ApiRequest request, int code, Representation as, StoredObject object) {
    long begin = Latencies.begin();
    if (as.format() == Format.JSON && !Negotiation.pretty(request)) {
      List<Payload.Slice> slices = new ArrayList<>(3);
      json.object(object, slices);
      JsonForm.add(slices, NEWLINE);
      serialized(request, as, begin);
      return ApiResponse.of(code, as.mediaType(), new Payload(slices));
    }
    if (as.format() == Format.PROTOBUF) {
      List<Payload.Slice> slices = new ArrayList<>(3);
      protobuf(object.definition()).object(object, slices);
      serialized(request, as, begin);
      return ApiResponse.of(code, as.mediaType(), new Payload(slices));
    }
    MapNode served = registry.served(object).root();
    Latencies.end(Latencies.Layer.TRANSFORM, begin);
    return tree(request, code, as, served, object.definition().schema());
  }

  /** Creates a response with a computed object. */
  public ApiResponse virtual(
      ApiRequest request, int code, ApiObject object, ResourceDefinition definition) {
    Representation as = Negotiation.accepted(request, definition);
    long begin = Latencies.begin();
    MapNode whole = codec.canonical(object, definition).root();
    return switch (as.view()) {
      case View.Whole _ -> tree(request, code, as, whole, definition.schema());
      case View.Table table -> {
        MapNode tree = views.tableOf(whole, table.apiVersion(), IncludeObject.of(request));
        Latencies.end(Latencies.Layer.TRANSFORM, begin);
        yield tree(request, code, as, tree, schemas.partial());
      }
      case View.Metadata metadata -> {
        if (metadata.list()) {
          throw notThatView(metadata, "not a list", definition, "");
        }
        MapNode tree = views.partial(whole.map("metadata"), metadata.apiVersion());
        Latencies.end(Latencies.Layer.TRANSFORM, begin);
        yield tree(request, code, as, tree, schemas.partial());
      }
    };
  }

  /** Creates a response with a list. */
  public ApiResponse list(ApiRequest request, Listing listing) {
    Representation as = Negotiation.accepted(request, listing.definition());
    long begin = Latencies.begin();
    return switch (as.view()) {
      case View.Whole _ -> listed(request, as, wholeList(request, as, listing), begin);
      case View.Table table -> {
        IncludeObject include = IncludeObject.of(request);
        MapNode head =
            ObjectViews.head(
                table.apiVersion(),
                metadata(listing),
                ObjectViews.columns(ObjectViews.table(listing.definition())));
        RowForm form = new RowForm(views, json, listing.definition(), table, include, clock, cells);
        Body body =
            text(
                request,
                as,
                head,
                "rows",
                views.rowOrder(listing),
                form::add,
                object -> views.row(object, table.apiVersion(), include));
        yield listed(request, as, body, begin);
      }
      case View.Metadata metadata -> {
        if (!metadata.list()) {
          throw notThatView(metadata, "a list", listing.definition(), "List");
        }
        yield metadataList(request, as, listing, metadata.apiVersion());
      }
    };
  }

  /** The response with a list, of which a short one is encoded by now. */
  private static ApiResponse listed(ApiRequest request, Representation as, Body body, long begin) {
    if (body instanceof Payload) {
      serialized(request, as, begin);
    }
    return ApiResponse.of(200, as.mediaType(), body);
  }

  private Body wholeList(ApiRequest request, Representation as, Listing listing) {
    return as.format() == Format.PROTOBUF
        ? protobufList(listHead(listing), listing.items(), protobuf(listing.definition())::item)
        : text(
            request,
            as,
            listHead(listing),
            "items",
            listing.items(),
            json::item,
            object -> item(registry.served(object).root(), listing.definition()));
  }

  /**
   * A list of PartialObjectMetadata; in protobuf encoded one at a time if the items have the usual
   * field number.
   */
  private ApiResponse metadataList(
      ApiRequest request, Representation as, Listing listing, String apiVersion) {
    long begin = Latencies.begin();
    MapNode head =
        MapNode.builder(3)
            .put("kind", Node.text("PartialObjectMetadataList"))
            .put("apiVersion", Node.text(apiVersion))
            .put("metadata", metadata(listing))
            .build();
    MetadataForm form = new MetadataForm(views, listing.definition(), apiVersion);
    Body body;
    if (as.format() != Format.PROTOBUF) {
      body =
          text(
              request,
              as,
              head,
              "items",
              listing.items(),
              form::add,
              object -> views.metadata(object, apiVersion));
    } else if (schemas.partialList(apiVersion) == schemas.partialList()) {
      body =
          protobufList(
              head,
              listing.items(),
              new MetadataWire(views, listing.definition(), apiVersion, schemas.partial())::item);
    } else {
      List<Node> all = new ArrayList<>();
      listing.items().forEachRemaining(object -> all.add(views.metadata(object, apiVersion)));
      MapNode tree = head.with("items", new Node.Items(all));
      return tree(request, 200, as, tree, schemas.partialList(apiVersion));
    }
    return listed(request, as, body, begin);
  }

  /** A list as text: in JSON from {@code json}, in YAML from trees. */
  private static Body text(
      ApiRequest request,
      Representation as,
      MapNode head,
      String field,
      Iterator<StoredObject> objects,
      ListBody.Element json,
      Function<StoredObject, MapNode> tree) {
    if (as.format() == Format.YAML) {
      return ListBody.yaml(head, field, objects, tree);
    }
    return Negotiation.pretty(request)
        ? ListBody.prettyJson(head, field, objects, json)
        : ListBody.json(head, field, objects, json);
  }

  /** Creates a response with a computed object. */
  public ApiResponse object(ApiRequest request, int code, MapNode object, StructSchema schema) {
    return tree(request, code, Negotiation.accepted(request), object, schema);
  }

  /** Creates a response with a Status. */
  public ApiResponse status(ApiRequest request, int code, MapNode tree) {
    Representation as =
        code < 400 ? Negotiation.acceptedForStatus(request) : Negotiation.acceptedForError(request);
    return tree(request, code, as, tree, schemas.status());
  }

  private static ApiResponse tree(
      ApiRequest request, int code, Representation as, MapNode tree, StructSchema schema) {
    long begin = Latencies.begin();
    byte[] body =
        switch (as.format()) {
          case JSON ->
              Negotiation.pretty(request)
                  ? ObjectWriter.prettyJson(tree)
                  : withNewline(ObjectWriter.json(tree));
          case YAML -> ObjectWriter.yaml(tree);
          case PROTOBUF -> ObjectWriter.protobuf(tree, schema);
        };
    serialized(request, as, begin);
    return ApiResponse.of(code, as.mediaType(), body);
  }

  private static void serialized(ApiRequest request, Representation as, long begin) {
    Span traced = Latencies.serialized(begin);
    if (traced != null) {
      if (traced.isRecording()) {
        Span begun = EncodingSpan.begun(traced, request, as.mediaType());
        Span unused = EncodingSpan.written(begun);
      }
      traced.end();
    }
  }

  private static MapNode listHead(Listing listing) {
    return MapNode.builder(4)
        .put("kind", Node.text(listing.definition().listKind()))
        .put("apiVersion", Node.text(listing.definition().gvk().apiVersion()))
        .put("metadata", metadata(listing))
        .build();
  }

  private ProtobufForm protobuf(ResourceDefinition definition) {
    return new ProtobufForm(registry, codec, encoded, definition);
  }

  private Body protobufList(
      MapNode head, Iterator<StoredObject> objects, Function<StoredObject, byte[]> item) {
    return ProtobufListBody.of(
        itemBytes ->
            ProtobufList.head(
                head.text("apiVersion"),
                head.text("kind"),
                head.map("metadata"),
                schemas.listMeta(),
                itemBytes),
        objects,
        item);
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

  /** Items of built-in types have no apiVersion and kind, those of custom types do. */
  private static MapNode item(MapNode object, ResourceDefinition definition) {
    return definition.custom() == null ? object.without("kind").without("apiVersion") : object;
  }

  private static byte[] withNewline(byte[] json) {
    byte[] line = java.util.Arrays.copyOf(json, json.length + 1);
    line[json.length] = '\n';
    return line;
  }
}
