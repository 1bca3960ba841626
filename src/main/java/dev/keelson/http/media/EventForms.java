package dev.keelson.http.media;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.media.View.IncludeObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.protobuf.ProtobufFrame;
import dev.keelson.schema.table.TableDefinition;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Creates the encodings of watches: JSON or protobuf, whole objects or views. */
final class EventForms {

  private final GenericRegistry registry;
  private final ObjectCodec codec;
  private final JsonForm json;
  private final ObjectViews views;
  private final MetaSchemas schemas;
  private final InstantSource clock;

  EventForms(
      GenericRegistry registry,
      ObjectCodec codec,
      JsonForm json,
      ObjectViews views,
      MetaSchemas schemas,
      InstantSource clock) {
    this.registry = registry;
    this.codec = codec;
    this.json = json;
    this.views = views;
    this.schemas = schemas;
    this.clock = clock;
  }

  /**
   * Creates the encoding of a watch.
   *
   * @throws ApiException of reason NotAcceptable if events do not support it, BadRequest for
   *     invalid Table parameters
   */
  EventForm of(Representation as, ApiRequest request, ResourceDefinition definition) {
    return switch (as.view()) {
      case View.Whole _ ->
          as.format() == Format.PROTOBUF
              ? new PlainProtobuf(
                  new ProtobufForm(registry, codec, null, definition),
                  new ProtobufBytes(definition.schema()))
              : new SplicedJson();
      case View.Table table -> {
        IncludeObject include = IncludeObject.of(request);
        yield new RowEvents(
            new Rows(definition, table.apiVersion(), include),
            new RowForm(views, json, definition, table, include, clock, null));
      }
      case View.Metadata metadata -> {
        if (metadata.list()) {
          throw new ApiException(
              Reason.NOT_ACCEPTABLE,
              "you requested PartialObjectMetadataList, but the requested object is not a list");
        }
        MetadataOnly shown = new MetadataOnly(metadata.apiVersion());
        yield as.format() == Format.PROTOBUF
            ? new MetadataProtobuf(new ProtobufBytes(schemas.partial()), shown)
            : new MetadataEvents(shown, new MetadataForm(views, definition, metadata.apiVersion()));
      }
    };
  }

  /** What is shown of the object of a bookmark. */
  private interface Shown {
    MapNode ofBookmark(MapNode object);
  }

  /** Metadata in protobuf. */
  private record MetadataProtobuf(ProtobufBytes bytes, MetadataOnly shown) implements EventForm {
    @Override
    public void object(StoredObject object, List<Payload.Slice> out) {
      JsonForm.add(out, bytes.of(shown.of(object)));
    }

    @Override
    public void bookmark(MapNode object, List<Payload.Slice> out) {
      JsonForm.add(out, bytes.of(shown.ofBookmark(object)));
    }

    @Override
    public void status(MapNode status, List<Payload.Slice> out) {
      JsonForm.add(out, bytes.ofStatus(status));
    }

    @Override
    public List<Payload.Slice> frame(String type, List<Payload.Slice> object) {
      return bytes.frame(type, object);
    }
  }

  /** Whole objects in JSON, from the stored bytes where that goes. */
  private final class SplicedJson implements EventForm {
    @Override
    public void object(StoredObject object, List<Payload.Slice> out) {
      json.object(object, out);
    }

    @Override
    public void bookmark(MapNode object, List<Payload.Slice> out) {
      JsonForm.add(out, ObjectWriter.json(object));
    }

    @Override
    public void status(MapNode status, List<Payload.Slice> out) {
      JsonForm.add(out, ObjectWriter.json(status));
    }

    @Override
    public List<Payload.Slice> frame(String type, List<Payload.Slice> object) {
      return line(type, object);
    }
  }

  /** Whole objects in protobuf, from the stored bytes where that goes. */
  private record PlainProtobuf(ProtobufForm form, ProtobufBytes bytes) implements EventForm {
    @Override
    public void object(StoredObject object, List<Payload.Slice> out) {
      form.object(object, out);
    }

    @Override
    public void bookmark(MapNode object, List<Payload.Slice> out) {
      JsonForm.add(out, bytes.of(object));
    }

    @Override
    public void status(MapNode status, List<Payload.Slice> out) {
      JsonForm.add(out, bytes.ofStatus(status));
    }

    @Override
    public List<Payload.Slice> frame(String type, List<Payload.Slice> object) {
      return bytes.frame(type, object);
    }
  }

  private static List<Payload.Slice> line(String type, List<Payload.Slice> object) {
    List<Payload.Slice> slices = new ArrayList<>(object.size() + 2);
    JsonForm.add(
        slices, ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.US_ASCII));
    slices.addAll(object);
    JsonForm.add(slices, new byte[] {'}', '\n'});
    return slices;
  }

  /** Views in JSON, which end like each other. */
  private abstract static class JsonEvents implements EventForm {
    private final Shown shown;

    JsonEvents(Shown shown) {
      this.shown = shown;
    }

    @Override
    public void bookmark(MapNode object, List<Payload.Slice> out) {
      JsonForm.add(out, ObjectWriter.json(shown.ofBookmark(object)));
    }

    @Override
    public void status(MapNode status, List<Payload.Slice> out) {
      JsonForm.add(out, ObjectWriter.json(status));
    }

    @Override
    public List<Payload.Slice> frame(String type, List<Payload.Slice> object) {
      return line(type, object);
    }
  }

  /** Metadata in JSON, from the stored bytes where that goes. */
  private static final class MetadataEvents extends JsonEvents {
    private final MetadataForm form;

    MetadataEvents(Shown shown, MetadataForm form) {
      super(shown);
      this.form = form;
    }

    @Override
    public void object(StoredObject object, List<Payload.Slice> out) {
      form.add(object, out);
    }
  }

  /** Tables of one row in JSON, from the stored bytes where that goes. */
  private static final class RowEvents extends JsonEvents {
    private static final byte[] ROWS = ",\"rows\":[".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] END = {']', '}'};

    private final Rows rows;
    private final RowForm form;

    RowEvents(Rows rows, RowForm form) {
      super(rows);
      this.rows = rows;
      this.form = form;
    }

    @Override
    public void object(StoredObject object, List<Payload.Slice> out) {
      byte[] head = ObjectWriter.json(rows.head(object));
      out.add(new Payload.Slice(head, 0, head.length - 1));
      JsonForm.add(out, ROWS);
      form.add(object, out);
      JsonForm.add(out, END);
    }
  }

  /** Trees of one type in protobuf, and the frames around them. */
  private final class ProtobufBytes {
    private final StructSchema schema;

    ProtobufBytes(StructSchema schema) {
      this.schema = schema;
    }

    byte[] of(MapNode tree) {
      return ObjectWriter.protobuf(tree, schema);
    }

    byte[] ofStatus(MapNode status) {
      return ObjectWriter.protobuf(status, schemas.status());
    }

    List<Payload.Slice> frame(String type, List<Payload.Slice> object) {
      List<Payload.Slice> slices = new ArrayList<>(object.size() + 1);
      JsonForm.add(slices, ProtobufFrame.head(type, new Payload(object).length()));
      slices.addAll(object);
      return slices;
    }
  }

  /** The metadata of whole objects. */
  private final class MetadataOnly implements Shown {
    private final String apiVersion;

    MetadataOnly(String apiVersion) {
      this.apiVersion = apiVersion;
    }

    MapNode of(StoredObject object) {
      return views.metadata(object, apiVersion);
    }

    @Override
    public MapNode ofBookmark(MapNode object) {
      return views.partial(object.map("metadata"), apiVersion);
    }
  }

  /** A Table per event; only the first one has column definitions. */
  private final class Rows implements Shown {
    private final ResourceDefinition definition;
    private final String apiVersion;
    private final IncludeObject include;
    private boolean first = true;

    Rows(ResourceDefinition definition, String apiVersion, IncludeObject include) {
      this.definition = definition;
      this.apiVersion = apiVersion;
      this.include = include;
    }

    /** The table of an object without its row. */
    MapNode head(StoredObject object) {
      MapNode head = ObjectViews.headOf(object, apiVersion, first);
      first = false;
      return head;
    }

    @Override
    public MapNode ofBookmark(MapNode object) {
      TableDefinition table = ObjectViews.table(definition);
      MapNode metadata = object.map("metadata");
      Node shown =
          switch (include) {
            case NONE -> Node.Null.NULL;
            case METADATA -> views.partial(metadata, apiVersion);
            case OBJECT -> object;
          };
      Node columns = first ? ObjectViews.columns(table) : Node.Null.NULL;
      first = false;
      return ObjectViews.head(
              apiVersion,
              MapNode.of("resourceVersion", Node.text(metadata.text("resourceVersion"))),
              columns)
          .with("rows", new Node.Items(List.of(views.row(table, object, shown))));
    }
  }
}
