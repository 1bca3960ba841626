package dev.keelson.http.media;

import dev.keelson.http.Body.Payload;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.protobuf.ProtobufList;
import dev.keelson.schema.codec.stored.WireForm;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes objects of one resource in protobuf: cached, transcoded from the stored bytes if the
 * object is stored in the requested version, or from a tree. Used by one thread for one response or
 * watch.
 */
final class ProtobufForm {

  private final GenericRegistry registry;
  private final @Nullable EncodedForms<byte[]> encoded;
  private final ResourceDefinition definition;
  private final @Nullable WireForm wire;

  /**
   * @param encoded the cache; null for none
   */
  ProtobufForm(
      GenericRegistry registry,
      ObjectCodec codec,
      @Nullable EncodedForms<byte[]> encoded,
      ResourceDefinition definition) {
    this.registry = registry;
    this.encoded = encoded;
    this.definition = definition;
    this.wire =
        codec.servesStoredShape(definition)
            ? new WireForm(Collection.storedType(definition), definition.gvk(), definition.schema())
            : null;
  }

  /** The object as an element of a list. */
  byte[] item(StoredObject object) {
    StructSchema schema = definition.schema();
    boolean plain = wire != null && object.revision() != 0;
    if (plain && encoded != null) {
      byte[] kept = encoded.find(object.value(), schema, object.revision());
      if (kept != null) {
        return kept;
      }
    }
    byte[] item =
        plain && wire != null ? wire.item(object.value().array(), object.revision()) : null;
    if (item == null) {
      item = ProtobufList.item(registry.served(object).root(), schema);
    }
    if (plain && encoded != null) {
      encoded.offer(object.value(), schema, object.revision(), item);
    }
    return item;
  }

  /** Adds the object by itself, in its envelope. */
  void object(StoredObject object, List<Payload.Slice> out) {
    byte[] item = item(object);
    int at = ProtobufList.messageAt(item);
    int length = item.length - at;
    JsonForm.add(
        out,
        ProtobufList.objectHead(definition.gvk().apiVersion(), definition.gvk().kind(), length));
    out.add(new Payload.Slice(item, at, length));
    JsonForm.add(out, ProtobufList.tail());
  }
}
