package dev.keelson.http.media;

import dev.keelson.registry.Collection;
import dev.keelson.registry.StoredObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.protobuf.ProtobufList;
import dev.keelson.schema.codec.stored.WireForm;
import dev.keelson.storage.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Encodes PartialObjectMetadata in protobuf as list items: from the stored bytes, or from a tree if
 * that is not possible. Used by one thread for one response.
 */
final class MetadataWire {

  private final ObjectViews views;
  private final String apiVersion;
  private final StructSchema partial;
  private final @Nullable WireForm wire;

  /**
   * A form.
   *
   * @param apiVersion of the answer
   * @param partial the schema of an element
   */
  MetadataWire(
      ObjectViews views, ResourceDefinition definition, String apiVersion, StructSchema partial) {
    this.views = views;
    this.apiVersion = apiVersion;
    this.partial = partial;
    StoredType type = Collection.storedType(definition).written();
    // conversion may change labels and annotations
    wire = definition.convertedByWebhook() ? null : new WireForm(type, type.kind(), type.schema());
  }

  /** The element for an object. */
  byte[] item(StoredObject object) {
    Bytes value = object.value();
    WireForm form = wire;
    byte[] item =
        form == null || object.revision() == 0
            ? null
            : form.metadataItem(
                value.backing(), value.offset(), value.end(), partial, object.revision());
    return item == null ? ProtobufList.item(views.metadata(object, apiVersion), partial) : item;
  }
}
