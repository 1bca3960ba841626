package dev.keelson.http.media;

import dev.keelson.http.Body.Payload;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.schema.DerivedBySchema;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.stored.Served;
import dev.keelson.schema.codec.stored.Splice;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.codec.stored.WireForm;
import dev.keelson.storage.Bytes;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Encodes objects in JSON: spliced from the stored bytes if the object is stored in the requested
 * version, otherwise from a tree. Safe for use by several threads.
 */
final class JsonForm {

  private final GenericRegistry registry;
  private final ObjectCodec codec;
  private final DerivedBySchema<Splices> splices = new DerivedBySchema<>(Splices.class);

  /** How a resource's stored bytes become JSON: by itself, and as an element of a list. */
  private record Splices(
      Splice object, Splice item, StoredType type, AtomicReference<@Nullable WireForm> spare) {

    /** Transcodes an object stored in protobuf; null if it needs a tree. */
    byte @Nullable [] transcoded(StoredObject object, boolean alone) {
      ResourceDefinition definition = object.definition();
      WireForm idle = spare.getAndSet(null);
      WireForm form =
          idle == null ? new WireForm(type, definition.gvk(), definition.schema()) : idle;
      byte[] stored = object.value().array();
      byte[] json =
          alone ? form.json(stored, object.revision()) : form.jsonItem(stored, object.revision());
      spare.set(form);
      return json;
    }
  }

  JsonForm(GenericRegistry registry, ObjectCodec codec) {
    this.registry = registry;
    this.codec = codec;
  }

  /** Adds the JSON of an object with its type, without a newline. */
  void object(StoredObject object, List<Payload.Slice> out) {
    if (!spliced(object, true, out)) {
      add(out, ObjectWriter.json(registry.served(object).root()));
    }
  }

  /**
   * Adds the JSON of a list item, which has no apiVersion and kind unless it is of a custom
   * resource, as in Kubernetes.
   */
  void item(StoredObject object, List<Payload.Slice> out) {
    if (object.definition().custom() != null) {
      object(object, out);
    } else if (!spliced(object, false, out)) {
      MapNode tree = registry.served(object).root();
      add(out, ObjectWriter.json(tree.without("kind").without("apiVersion")));
    }
  }

  /**
   * Whether the stored JSON of an object has the fields of the version that is asked for; those of
   * a custom resource depend on its schema.
   */
  boolean servesStoredFields(StoredObject object) {
    ResourceDefinition definition = object.definition();
    if (definition.custom() == null) {
      return true;
    }
    Bytes value = object.value();
    return codec.servesStoredShape(definition)
        && StoredForm.servedEnd(
                Collection.storedType(definition).written().schema(),
                value.backing(),
                value.offset(),
                value.end())
            >= 0;
  }

  private boolean spliced(StoredObject object, boolean alone, List<Payload.Slice> out) {
    ResourceDefinition definition = object.definition();
    if (object.revision() == 0 || !codec.servesStoredShape(definition)) {
      return false;
    }
    Splices ways = splices.of(definition.schema(), _ -> splices(definition));
    Bytes value = object.value();
    int end =
        StoredForm.servedEnd(ways.type.schema(), value.backing(), value.offset(), value.end());
    if (end < 0) {
      return false;
    }
    Served served =
        (alone ? ways.object : ways.item)
            .of(value.backing(), value.offset(), end, object.revision());
    if (served == null) {
      if (definition.custom() != null) {
        return false;
      }
      byte[] json = ways.transcoded(object, alone);
      if (json != null) {
        add(out, json);
      }
      return json != null;
    }
    add(out, served.head());
    add(out, served);
    return true;
  }

  private static Splices splices(ResourceDefinition definition) {
    StoredType type = Collection.storedType(definition).written();
    return new Splices(
        Splice.object(type.kind(), definition.gvk()),
        Splice.listItem(type.kind()),
        type,
        new AtomicReference<>());
  }

  /** Adds the stored bytes of an object after its head. */
  static void add(List<Payload.Slice> out, Served served) {
    out.add(new Payload.Slice(served.stored(), served.offset(), served.end() - served.offset()));
  }

  static void add(List<Payload.Slice> out, byte[] bytes) {
    out.add(new Payload.Slice(bytes, 0, bytes.length));
  }
}
