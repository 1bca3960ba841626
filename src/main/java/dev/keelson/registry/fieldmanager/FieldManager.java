package dev.keelson.registry.fieldmanager;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.registry.WriteOptions;
import dev.keelson.schema.ResourceDefinition;
import java.util.List;
import java.util.Optional;

/**
 * Maintains {@code metadata.managedFields} (KEP-555). Objects are in the stored version; entries
 * are in the version of the request.
 */
public interface FieldManager {

  /** Records nothing. */
  FieldManager NONE = new FieldManager() {};

  /** A new object with an entry for the fields that its creator set. */
  default ApiObject recordCreate(
      ResourceDefinition definition, ApiObject object, WriteOptions options) {
    return object;
  }

  /**
   * An object that is answered and not stored, such as a review, with an entry for the fields that
   * its sender set.
   *
   * @param definition of the resource, or of the subresource that it is sent to
   * @param subresource that, or empty
   */
  default ApiObject recordSent(
      ResourceDefinition definition, String subresource, ApiObject object, WriteOptions options) {
    return object;
  }

  /**
   * An updated object with entries for the fields that the writer changed.
   *
   * @param subresource through which it is changed, or empty
   */
  default ApiObject recordUpdate(
      ResourceDefinition definition,
      String subresource,
      ApiObject object,
      ApiObject current,
      WriteOptions options) {
    return object;
  }

  /**
   * What is wrong with {@code managedFields} that mutating admission has changed; empty if nothing
   * is.
   */
  default Optional<String> problem(List<Node> managedFields) {
    return Optional.empty();
  }

  /**
   * Applies a configuration to an object. The result has its {@code managedFields} and is in the
   * version of the request.
   *
   * @param current the current object; without fields if none exists
   * @throws ApiException of reason Conflict if fields of other managers would be changed,
   *     BadRequest or Unknown if the configuration is invalid for the kind
   */
  default ApiObject apply(
      ResourceDefinition definition, ApiObject current, AppliedConfiguration configuration) {
    throw new ApiException(Reason.NOT_IMPLEMENTED, "this server does not offer apply");
  }
}
