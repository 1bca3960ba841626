package dev.keelson.registry;

import dev.keelson.api.FieldCause;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.structural.validation.CustomObjectValidation;
import java.util.List;
import java.util.function.Consumer;

/**
 * The validation rules of custom resources beside those of the built-in types. Custom objects are
 * validated in the version of the request, as in Kubernetes: each version has a schema of its own.
 */
public final class CustomRules implements ObjectRules {

  private final ObjectRules builtIn;
  private final CustomObjectValidation validation;
  private final ObjectCodec codec;

  /**
   * The rules of all types.
   *
   * @param builtIn the rules of the built-in types
   * @param validation the rules of custom resources
   * @param codec converts objects to the version of the request
   */
  public CustomRules(ObjectRules builtIn, CustomObjectValidation validation, ObjectCodec codec) {
    this.builtIn = builtIn;
    this.validation = validation;
    this.codec = codec;
  }

  @Override
  public List<FieldCause> validateCreate(
      ResourceDefinition definition, ApiObject object, Consumer<String> warnings) {
    CustomResourceVersion custom = definition.custom();
    return custom == null
        ? builtIn.validateCreate(definition, object, warnings)
        : validation.validateCreate(custom, requested(definition, object), warnings);
  }

  @Override
  public List<FieldCause> validateUpdate(
      ResourceDefinition definition,
      String subresource,
      ApiObject object,
      ApiObject current,
      Consumer<String> warnings) {
    CustomResourceVersion custom = definition.custom();
    return custom == null
        ? builtIn.validateUpdate(definition, subresource, object, current, warnings)
        : validation.validateUpdate(
            custom,
            subresource,
            requested(definition, object),
            requested(definition, current),
            warnings);
  }

  private MapNode requested(ResourceDefinition definition, ApiObject object) {
    StoredType type = definition.storage();
    return type == null
        ? object.root()
        : codec.convert(object, type.kind(), definition.gvk()).root();
  }
}
