package dev.keelson.registry;

import dev.keelson.api.ApiException;
import dev.keelson.object.ApiObject;
import dev.keelson.object.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.FieldValidation;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A configuration that is applied to an object, which it creates if there is none. */
public final class ApplyPatch implements ObjectPatch {

  private final FieldManagement fields;
  private final ResourceDefinition definition;
  private final AppliedConfiguration configuration;
  private final List<String> documentProblems;
  private final FieldValidation validation;
  private final Consumer<String> warnings;

  /**
   * A configuration for objects of {@code definition}.
   *
   * @param documentProblems what strict reading finds wrong with the document
   * @param warnings is told the problems if {@code validation} asks for that
   */
  public ApplyPatch(
      FieldManagement fields,
      ResourceDefinition definition,
      AppliedConfiguration configuration,
      List<String> documentProblems,
      FieldValidation validation,
      Consumer<String> warnings) {
    this.fields = fields;
    this.definition = definition;
    this.configuration = configuration;
    this.documentProblems = List.copyOf(documentProblems);
    this.validation = validation;
    this.warnings = warnings;
  }

  @Override
  public boolean recordsFields() {
    return true;
  }

  @Override
  public ApiObject apply(ApiObject current) {
    return applied(definition, current, configuration);
  }

  @Override
  public Optional<ApiObject> whenMissing() {
    ApiObject fresh = applied(definition, new ApiObject(MapNode.EMPTY), configuration);
    String uid = fresh.meta().uid();
    if (!uid.isEmpty()) {
      throw ApiException.conflict(
          definition.groupResource(),
          fresh.meta().name(),
          "uid mismatch: the provided object specified uid "
              + uid
              + ", and no existing object was found");
    }
    // a version to compare with means nothing where there is nothing yet
    return Optional.of(fresh.withMeta(fresh.meta().without("resourceVersion")));
  }

  private ApiObject applied(
      ResourceDefinition target, ApiObject current, AppliedConfiguration wanted) {
    ApiObject object = fields.applied(target, current, wanted);
    if (!documentProblems.isEmpty()) {
      if (validation == FieldValidation.STRICT) {
        throw ApiException.badRequest(
            "error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  "
                + String.join("\n  ", documentProblems));
      }
      documentProblems.forEach(warnings);
    }
    return object;
  }
}
