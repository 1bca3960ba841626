package dev.keelson.server.registry;

import dev.keelson.api.FieldCause;
import dev.keelson.cel.schema.DefaultEvaluation;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import dev.keelson.schema.structural.validation.DefaultRules;
import dev.keelson.schema.structural.validation.ObjectMetaRules;
import dev.keelson.schema.validation.apiextensions.DefaultValidation;
import java.util.List;

/** Validates the defaults of a CustomResourceDefinition as values of its objects. */
final class DefinitionDefaults implements DefaultValidation {

  private final DefaultRules rules;

  DefinitionDefaults(ObjectMetaRules metadata) {
    this.rules = new DefaultRules(metadata);
  }

  @Override
  public List<FieldCause> validate(Node value, StructuralSchema schema, String path) {
    return rules.validate(value, schema, path);
  }

  @Override
  public String metadataProblem(MapNode object, StructuralSchema schema) {
    return rules.metadataProblem(object, schema);
  }

  @Override
  public Rules rules() {
    return new DefaultEvaluation()::validate;
  }
}
