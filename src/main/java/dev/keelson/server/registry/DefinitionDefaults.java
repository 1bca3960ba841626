package dev.keelson.server.registry;

import dev.keelson.api.FieldCause;
import dev.keelson.cel.schema.DefaultEvaluation;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StructuralSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.structural.validation.DefaultRules;
import dev.keelson.schema.structural.validation.ObjectMetaRules;
import dev.keelson.schema.validation.apiextensions.DefaultValidation;
import java.util.List;
import java.util.Objects;

/** Validates the defaults of a CustomResourceDefinition as values of its objects. */
final class DefinitionDefaults implements DefaultValidation {

  private final DefaultRules rules;

  /**
   * The validation.
   *
   * @param object the shape of any object, for that of its metadata
   */
  DefinitionDefaults(StructSchema object, ObjectMetaRules metadata) {
    StructSchema type = (StructSchema) Objects.requireNonNull(object.field("metadata")).type();
    this.rules = new DefaultRules(value -> problem(value, type), metadata);
  }

  private static String problem(Node metadata, StructSchema type) {
    if (metadata == Node.Null.NULL) {
      return "";
    }
    try {
      Object unused = ObjectReader.tree(metadata, type, FieldValidation.IGNORE);
      return "";
    } catch (DecodeException e) {
      return e.text();
    }
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
