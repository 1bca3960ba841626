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
   * Validates a default by the schema of its place: types, formats, and the metadata of embedded
   * objects.
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

  /** Starts the evaluation of the rules of one schema on its defaults. */
  default Rules rules() {
    return (value, schema, path) -> List.of();
  }

  /**
   * Evaluates rules in CEL on the defaults of one schema, within one budget. Used by one thread.
   */
  @FunctionalInterface
  interface Rules {

    /** The failed rules of a place and of those below it; parameters as of the validation. */
    List<FieldCause> validate(Node value, StructuralSchema schema, String path);
  }
}
