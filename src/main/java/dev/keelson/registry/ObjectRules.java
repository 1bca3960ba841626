package dev.keelson.registry;

import dev.keelson.api.FieldCause;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;
import java.util.List;
import java.util.function.Consumer;

/**
 * What objects of every kind must keep to beyond their metadata. Objects are in the stored version;
 * every rule that is broken is told, in the order of the fields, each once.
 */
public interface ObjectRules {

  /** Takes everything. */
  ObjectRules NONE = new ObjectRules() {};

  /** The rules that a new object breaks. */
  default List<FieldCause> ofNew(
      ResourceDefinition definition, ApiObject object, Consumer<String> warnings) {
    return List.of();
  }

  /**
   * The rules that a changed object breaks, by itself or as a change of {@code current}.
   *
   * @param subresource through which it is changed, or empty
   */
  default List<FieldCause> ofChanged(
      ResourceDefinition definition,
      String subresource,
      ApiObject object,
      ApiObject current,
      Consumer<String> warnings) {
    return List.of();
  }
}
