package dev.keelson.registry.write;

import dev.keelson.object.ApiObject;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.StoredObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.WriteOutcome;
import java.util.function.Function;

/**
 * What is stored of an object. As in Kubernetes, one that is only too large for the store because
 * of its {@code managedFields} is stored without them.
 */
final class StoredForm {

  private final ObjectCodec codec;
  private final ResourceDefinition definition;
  private final StoredType type;
  private ApiObject object;
  private Bytes value;

  /** The whole object, in the stored version. */
  StoredForm(ObjectCodec codec, ResourceDefinition definition, StoredType type, ApiObject object) {
    this.codec = codec;
    this.definition = definition;
    this.type = type;
    this.object = object;
    this.value = codec.encode(type, object);
  }

  Bytes value() {
    return value;
  }

  /** The object with {@code revision}, as it was stored. */
  StoredObject at(long revision) {
    return new StoredObject(definition, value, revision, codec.written(definition, object));
  }

  /**
   * Writes the value.
   *
   * @param keepsManagers whether the write is about the managers, so that they are not left out
   */
  WriteOutcome write(boolean keepsManagers, Function<Bytes, WriteOutcome> store) {
    try {
      return store.apply(value);
    } catch (StorageException.TooLarge e) {
      ApiObject bare = PendingOwnership.without(object);
      if (keepsManagers || bare == object) {
        throw e;
      }
      object = bare;
      value = codec.encode(type, bare);
      return store.apply(value);
    }
  }
}
