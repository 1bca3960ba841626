package dev.keelson.registry;

import dev.keelson.api.FieldCause;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;
import java.util.List;
import java.util.function.Consumer;

/**
 * Validation of objects beyond their metadata. Objects are in the stored version. All violations
 * are returned, in the order of the fields, each once.
 */
public interface ObjectRules {

  /** Accepts everything. */
  ObjectRules NONE = new ObjectRules() {};

  /** The violations of a new object. */
  default List<FieldCause> validateCreate(
      ResourceDefinition definition, ApiObject object, Consumer<String> warnings) {
    return List.of();
  }

  /**
   * The violations of an updated object, by itself or as an update of {@code current}.
   *
   * @param subresource through which it is updated, or empty
   */
  default List<FieldCause> validateUpdate(
      ResourceDefinition definition,
      String subresource,
      ApiObject object,
      ApiObject current,
      Consumer<String> warnings) {
    return List.of();
  }
}
