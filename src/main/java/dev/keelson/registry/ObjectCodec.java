package dev.keelson.registry;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.ObjectMeta;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts objects between stored bytes, trees in the stored version and trees in a served version.
 */
public interface ObjectCodec {

  /**
   * The object in {@code value}, in the version of {@code type}, without resourceVersion.
   *
   * @throws dev.keelson.api.ApiException of reason InternalError if the bytes cannot be read
   */
  ApiObject decode(StoredType type, Bytes value);

  /**
   * The objects in several values, with as few calls of a conversion webhook as possible; like
   * {@link #decode(StoredType, Bytes)} in all else.
   */
  default List<ApiObject> decode(StoredType type, List<Bytes> values) {
    return values.stream().map(value -> decode(type, value)).toList();
  }

  /** Whether decoding a value needs a call of a conversion webhook. */
  default boolean needsWebhook(StoredType type, Bytes value) {
    return false;
  }

  /**
   * The metadata of the object in {@code value} as it is stored, which needs no conversion.
   *
   * @throws dev.keelson.api.ApiException of reason InternalError if the bytes cannot be read
   */
  default ObjectMeta metadata(StoredType type, Bytes value) {
    return decode(type, value).meta();
  }

  /**
   * The bytes to store for an object in the version of {@code type}; a resourceVersion in it is
   * left out.
   */
  Bytes encode(StoredType type, ApiObject object);

  /**
   * The same object with its fields in the order of {@code definition}'s schema, without those that
   * are not printed when they are empty and with those that are.
   */
  ApiObject canonical(ApiObject object, ResourceDefinition definition);

  /** The same object in another version of its kind. */
  ApiObject convert(ApiObject object, GroupVersionKind from, GroupVersionKind to);

  /**
   * The tree of an object that {@link #encode} has just written: {@code object} itself if reading
   * the value gives the same, null if conversion to the storage version may lose something.
   *
   * @param object in the version of the definition's stored type
   */
  default @Nullable ApiObject written(ResourceDefinition definition, ApiObject object) {
    StoredType type = definition.storage();
    return type == null || type.storageVersion() == null || servesStoredShape(definition)
        ? object
        : null;
  }

  /**
   * Whether {@code definition} serves what is written now with nothing but another {@code
   * apiVersion}.
   */
  boolean servesStoredShape(ResourceDefinition definition);
}
