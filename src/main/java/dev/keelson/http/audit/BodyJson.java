package dev.keelson.http.audit;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.protobuf.Envelope;
import dev.keelson.schema.codec.protobuf.ProtobufInput;
import dev.keelson.schema.codec.protobuf.ProtobufList;
import dev.keelson.schema.codec.protobuf.ProtobufReader;
import dev.keelson.schema.codec.protobuf.Wire;
import dev.keelson.schema.codec.tree.DecodeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Bodies as JSON, for events: JSON as it is, YAML and protobuf converted.
 *
 * @param schemas the shape of a kind, of those that the API has
 */
public record BodyJson(Function<GroupVersionKind, Optional<StructSchema>> schemas) {

  private static final byte[] NONE = {};
  private static final String LIST = "List";
  private static final int LIST_META = 1;

  /**
   * The JSON of a body.
   *
   * @param mediaType its Content-Type, with or without parameters; empty is taken for JSON
   * @return empty if there is no body, or one that cannot be read
   */
  byte[] of(String mediaType, byte[] body) {
    try {
      if (Envelope.begins(body)) {
        return ObjectWriter.json(protobuf(body));
      }
      if (mediaType.contains("yaml") && !beginsAsJson(body)) {
        return ObjectWriter.json(ObjectReader.untypedYaml(body));
      }
      return mediaType.isEmpty() || mediaType.contains("json") || mediaType.contains("yaml")
          ? body
          : NONE;
    } catch (DecodeException e) {
      // the handler tells the client; the event has no object then, as in Kubernetes
      return NONE;
    }
  }

  private static boolean beginsAsJson(byte[] body) {
    for (byte b : body) {
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        return b == '{';
      }
    }
    return false;
  }

  private Node protobuf(byte[] body) {
    Envelope envelope = Envelope.read(body);
    if (envelope.format() == Envelope.Format.JSON) {
      throw new DecodeException(DecodeException.Fault.ENCODING, "an envelope of JSON");
    }
    Optional<StructSchema> schema = schemas.apply(kind(envelope.apiVersion(), envelope.kind()));
    if (schema.isPresent()) {
      MapNode object =
          ProtobufReader.object(envelope.bytes(), envelope.from(), envelope.to(), schema.get());
      return envelope.typed(object, schema.get());
    }
    return list(envelope);
  }

  private MapNode list(Envelope envelope) {
    String kind = envelope.kind();
    String ofItems = kind.endsWith(LIST) ? kind.substring(0, kind.length() - LIST.length()) : "";
    Optional<StructSchema> item = schemas.apply(kind(envelope.apiVersion(), ofItems));
    Optional<StructSchema> meta = schemas.apply(new GroupVersionKind("", "v1", "ListMeta"));
    if (item.isEmpty() || meta.isEmpty()) {
      throw new DecodeException(DecodeException.Fault.ENCODING, "unknown kind " + kind);
    }
    MapNode metadata = MapNode.EMPTY;
    List<Node> items = new ArrayList<>();
    ProtobufInput input = new ProtobufInput(envelope.bytes(), envelope.from(), envelope.to());
    while (input.more()) {
      int tag = input.tag();
      int field = tag >>> 3;
      if ((tag & 7) != Wire.LENGTH || (field != LIST_META && field != ProtobufList.ITEMS)) {
        input.skip(tag);
        continue;
      }
      int from = input.passBytes();
      int to = input.position();
      boolean isItem = field == ProtobufList.ITEMS;
      MapNode part =
          ProtobufReader.object(envelope.bytes(), from, to, isItem ? item.get() : meta.get());
      if (isItem) {
        items.add(part);
      } else {
        metadata = part;
      }
    }
    return MapNode.builder(4)
        .put("kind", Node.text(kind))
        .put("apiVersion", Node.text(envelope.apiVersion()))
        .put("metadata", metadata)
        .put("items", new Node.Items(items))
        .build();
  }

  private static GroupVersionKind kind(String apiVersion, String kind) {
    int slash = apiVersion.indexOf('/');
    return slash < 0
        ? new GroupVersionKind("", apiVersion, kind)
        : new GroupVersionKind(
            apiVersion.substring(0, slash), apiVersion.substring(slash + 1), kind);
  }
}
