package dev.keelson.registry;

import dev.keelson.api.FieldCause;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.validation.ObjectValidation;
import java.util.List;
import java.util.function.Consumer;

/**
 * The validation rules of the built-in types: those that the schema declares and those of the
 * kinds.
 */
public final class SchemaRules implements ObjectRules {

  private final ObjectValidation validation;

  /** The rules that {@code validation} has. */
  public SchemaRules(ObjectValidation validation) {
    this.validation = validation;
  }

  @Override
  public List<FieldCause> validateCreate(
      ResourceDefinition definition, ApiObject object, Consumer<String> warnings) {
    StoredType type = definition.storage();
    return type == null
        ? List.of()
        : validation.validateCreate(type.kind(), definition.gvk(), type.schema(), object, warnings);
  }

  @Override
  public List<FieldCause> validateUpdate(
      ResourceDefinition definition,
      String subresource,
      ApiObject object,
      ApiObject current,
      Consumer<String> warnings) {
    StoredType type = definition.storage();
    return type == null
        ? List.of()
        : validation.validateUpdate(
            type.kind(), definition.gvk(), type.schema(), subresource, object, current, warnings);
  }
}
