package dev.keelson.http.media;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.http.Body.Payload;
import dev.keelson.registry.StoredObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.stored.Served;
import dev.keelson.schema.codec.stored.Splice;
import dev.keelson.schema.codec.stored.WireForm;
import dev.keelson.storage.Bytes;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Encodes PartialObjectMetadata in JSON: cut out of the stored bytes, or from a tree if that is not
 * possible. Safe for use by several threads.
 */
final class MetadataForm {

  private static final byte[] END = {'}'};

  private final ObjectViews views;
  private final String apiVersion;
  private final @Nullable StoredType type;
  private final @Nullable Splice splice;
  private final byte[] head;
  private final AtomicReference<@Nullable WireForm> spare = new AtomicReference<>();

  /**
   * A form.
   *
   * @param apiVersion of the answer
   */
  MetadataForm(ObjectViews views, ResourceDefinition definition, String apiVersion) {
    this.views = views;
    this.apiVersion = apiVersion;
    StoredType handled = definition.storage();
    // conversion may change labels and annotations
    type = handled == null || definition.convertedByWebhook() ? null : handled.written();
    GroupVersionKind kind = GroupVersion.parse(apiVersion).kind(ObjectViews.PARTIAL_KIND);
    splice = type == null ? null : Splice.object(type.kind(), kind);
    head = WireForm.head(kind);
  }

  /** The metadata up to the brace that closes the object, or null if it needs a tree. */
  @Nullable Served cut(StoredObject object) {
    if (splice == null || object.revision() == 0) {
      return null;
    }
    Bytes value = object.value();
    return splice.metadata(value.backing(), value.offset(), value.end(), object.revision());
  }

  /**
   * The same where the end of the metadata is known.
   *
   * @param end the place behind it in the backing array
   */
  @Nullable Served cut(StoredObject object, int end) {
    if (splice == null || object.revision() == 0) {
      return null;
    }
    Bytes value = object.value();
    return splice.of(value.backing(), value.offset(), end, object.revision());
  }

  /** Adds a PartialObjectMetadata. */
  void add(StoredObject object, List<Payload.Slice> out) {
    Served cut = cut(object);
    if (cut == null) {
      JsonForm.add(out, json(object));
    } else {
      JsonForm.add(out, cut.head());
      JsonForm.add(out, cut);
      JsonForm.add(out, END);
    }
  }

  private byte[] json(StoredObject object) {
    byte[] transcoded = null;
    if (type != null && object.revision() != 0) {
      WireForm idle = spare.getAndSet(null);
      WireForm form = idle == null ? new WireForm(type, type.kind(), type.schema()) : idle;
      transcoded = form.metadataJson(object.value().array(), object.revision(), head);
      spare.set(form);
    }
    return transcoded == null ? ObjectWriter.json(views.metadata(object, apiVersion)) : transcoded;
  }
}
