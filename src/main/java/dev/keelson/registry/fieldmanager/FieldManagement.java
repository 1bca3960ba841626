package dev.keelson.registry.fieldmanager;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.WriteOptions;
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

  /**
   * What an applied configuration makes of an object, with everything written down; unlike
   * elsewhere here, in the version of the request.
   *
   * @param current the object as it is; without fields if there is none yet
   * @throws ApiException of reason Conflict if fields of other managers would be changed,
   *     BadRequest or a nameless one if the configuration is none for the kind
   */
  default ApiObject applied(
      ResourceDefinition definition, ApiObject current, AppliedConfiguration configuration) {
    throw new ApiException(Reason.NOT_IMPLEMENTED, "this server does not offer apply");
  }
}
