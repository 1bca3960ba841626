package dev.keelson.registry;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;

/**
 * Converts objects between stored bytes, trees in the stored version and trees in a served version.
 */
public interface ObjectCodec {

  /**
   * The object in {@code value}, in the stored version, without resourceVersion.
   *
   * @throws dev.keelson.api.ApiException of reason InternalError if the bytes cannot be read
   */
  ApiObject decode(StoredType type, Bytes value);

  /**
   * The bytes to store for an object in the stored version; a resourceVersion in it is left out.
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
   * Whether {@code definition} serves what is stored with nothing but another {@code apiVersion}.
   */
  boolean servesStoredShape(ResourceDefinition definition);
}
