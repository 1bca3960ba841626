package dev.keelson.registry.fieldmanager;

import dev.keelson.api.ApiException;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.ObjectPatch;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.codec.tree.FieldValidation;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Applies a configuration to an object, or creates the object if none exists. */
public final class ApplyPatch implements ObjectPatch {

  private final FieldManager fields;
  private final ResourceDefinition definition;
  private final AppliedConfiguration configuration;
  private final List<String> documentProblems;
  private final FieldValidation validation;
  private final Consumer<String> warnings;

  /**
   * A configuration for objects of {@code definition}.
   *
   * @param documentProblems what strict reading finds wrong with the document
   * @param warnings receives the problems if {@code validation} asks for that
   */
  public ApplyPatch(
      FieldManager fields,
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

  /** The configuration as the client sent it. */
  public MapNode root() {
    return configuration.root();
  }

  @Override
  public boolean recordsFields() {
    return true;
  }

  @Override
  public ApiObject apply(ApiObject current) {
    return applied(current);
  }

  @Override
  public Optional<ApiObject> whenMissing() {
    ApiObject fresh = applied(new ApiObject(MapNode.EMPTY));
    String uid = fresh.meta().uid();
    if (!uid.isEmpty()) {
      throw ApiException.conflict(
          definition.groupResource(),
          fresh.meta().name(),
          "uid mismatch: the provided object specified uid "
              + uid
              + ", and no existing object was found");
    }
    // without an object there is no resourceVersion to compare
    return Optional.of(fresh.withMeta(fresh.meta().without("resourceVersion")));
  }

  /**
   * The configuration of the workload that an applied Scale means, by the same manager.
   *
   * @throws ApiException if the configuration is no Scale
   */
  public ApplyPatch onWorkload(ResourceDefinition workload) {
    ApiObject unused = apply(new ApiObject(MapNode.EMPTY));
    MapNode.Builder root = MapNode.builder(4);
    root.put("apiVersion", Node.text(workload.gvk().apiVersion()))
        .put("kind", Node.text(workload.kind()))
        .put("metadata", configuration.root().map("metadata"));
    Node replicas = configuration.root().map("spec").get("replicas");
    if (replicas != null) {
      root.put("spec", MapNode.of("replicas", replicas));
    }
    return new ApplyPatch(
        fields,
        workload,
        new AppliedConfiguration(
            root.build(),
            configuration.manager(),
            configuration.subresource(),
            configuration.force()),
        List.of(),
        validation,
        warnings);
  }

  private ApiObject applied(ApiObject current) {
    ApiObject object = fields.apply(definition, current, configuration);
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
