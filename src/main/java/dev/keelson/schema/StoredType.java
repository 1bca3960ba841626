package dev.keelson.schema;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.schema.SchemaNode.StructSchema;
import org.jspecify.annotations.Nullable;

/**
 * What the registry holds of a resource. The versions (and old groups) of a built-in type share it:
 * objects are handled and stored in one version. Each version of a custom resource has its own: as
 * in kube-apiserver, objects are validated, admitted and compared in the version of the request,
 * and converted on their way from and to the store.
 *
 * @param keyPrefix the part of the key between the root and the namespace or name, for example
 *     {@code services/specs}
 * @param kind the version in which objects are handled
 * @param schema the shape of {@code kind}
 * @param storageVersion the type of the version in which objects are written; null if that is
 *     {@code kind}
 */
public record StoredType(
    String keyPrefix,
    GroupVersionKind kind,
    StructSchema schema,
    @Nullable StoredType storageVersion) {

  /** A type whose objects are stored in the version in which they are handled. */
  public StoredType(String keyPrefix, GroupVersionKind kind, StructSchema schema) {
    this(keyPrefix, kind, schema, null);
  }

  /** The type of the version in which objects are written; the same for all versions. */
  public StoredType written() {
    return storageVersion == null ? this : storageVersion;
  }
}
