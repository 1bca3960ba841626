package dev.keelson.schema.validation.apiextensions;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import java.util.List;

/**
 * Validates the defaults of a schema as values of custom objects. Implementations are safe for use
 * by several threads.
 */
public interface DefaultValidation {

  /** Accepts every default. */
  DefaultValidation NONE =
      new DefaultValidation() {
        @Override
        public List<FieldCause> validate(Node value, StructuralSchema schema, String path) {
          return List.of();
        }

        @Override
        public String metadataProblem(MapNode object, StructuralSchema schema) {
          return "";
        }
      };

  /**
   * Validates a default by the schema of its place: types, formats, list types, the metadata of
   * embedded objects, and rules in CEL.
   *
   * @param path of the default, which the causes begin with
   */
  List<FieldCause> validate(Node value, StructuralSchema schema, String path);

  /**
   * What is wrong with the type and metadata of an object in which a default has been filled in;
   * empty if nothing is.
   *
   * @param object an object with apiVersion, kind, and perhaps metadata
   * @param schema of the object, an embedded resource
   */
  String metadataProblem(MapNode object, StructuralSchema schema);
}
