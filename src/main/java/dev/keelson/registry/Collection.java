package dev.keelson.registry;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;

/**
 * The objects of a resource in one namespace, or all of them.
 *
 * @param definition the resource in the version that the request names
 * @param namespace the namespace, or empty for cluster-scoped resources and for all namespaces
 */
public record Collection(ResourceDefinition definition, String namespace) {

  /** The stored type. */
  public StoredType type() {
    return storedType(definition);
  }

  /**
   * The stored type of a resource.
   *
   * @throws ApiException of reason MethodNotAllowed if the resource is not stored
   */
  public static StoredType storedType(ResourceDefinition definition) {
    StoredType type = definition.storage();
    if (type == null) {
      throw new ApiException(
          Reason.METHOD_NOT_ALLOWED, "the server does not store objects of " + definition.gvr());
    }
    return type;
  }
}
