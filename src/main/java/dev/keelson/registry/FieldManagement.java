package dev.keelson.registry;

import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;

/**
 * Keeps {@code metadata.managedFields} (KEP-555). Objects are in the stored version; what is
 * written down is in the version of the request.
 */
public interface FieldManagement {

  /** Writes nothing down. */
  FieldManagement NONE = new FieldManagement() {};

  /** A new object with the fields that its creator set written down. */
  default ApiObject ofNew(ResourceDefinition definition, ApiObject object, WriteOptions options) {
    return object;
  }

  /**
   * A changed object with the fields that the writer changed written down.
   *
   * @param subresource through which it is changed, or empty
   */
  default ApiObject ofChanged(
      ResourceDefinition definition,
      String subresource,
      ApiObject object,
      ApiObject current,
      WriteOptions options) {
    return object;
  }
}
