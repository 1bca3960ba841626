package dev.keelson.admission.policy;

import dev.keelson.api.ApiException;
import dev.keelson.cel.admission.Outcome;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.apply.PatchMerge;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.Decoded;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.defaulting.SchemaDefaults;
import dev.keelson.schema.patch.JsonPatch;
import dev.keelson.schema.patch.PatchException;
import java.nio.charset.StandardCharsets;

/** Applies what mutations evaluate to. */
final class ObjectPatches {

  private static final SchemaDefaults DEFAULTS =
      new SchemaDefaults(
          literal -> ObjectReader.untypedJson(literal.getBytes(StandardCharsets.UTF_8)));

  private ObjectPatches() {}

  /**
   * Merges the object of an apply configuration.
   *
   * @throws ConfigurationFault if it is not valid
   */
  static ApiObject merged(ApiObject object, Outcome outcome, StructSchema schema)
      throws ConfigurationFault {
    checkTypes(outcome);
    MapNode patch =
        outcome.node() instanceof MapNode map
            ? map.with("apiVersion", Node.text(object.apiVersion()))
                .with("kind", Node.text(object.kind()))
            : MapNode.EMPTY;
    try {
      return complete(new ApiObject(PatchMerge.of(schema, object.root(), patch)), schema);
    } catch (IllegalArgumentException e) {
      throw new ConfigurationFault("error applying patch: " + e.getMessage());
    }
  }

  /**
   * Applies a JSON Patch; the object itself if a test of it fails.
   *
   * @throws ConfigurationFault if it does not apply
   * @throws ApiException of reason InternalError if the result is not valid by the schema
   */
  static ApiObject patched(ApiObject object, Outcome outcome, StructSchema schema)
      throws ConfigurationFault {
    checkTypes(outcome);
    Node patched;
    try {
      patched = JsonPatch.of(outcome.node()).apply(object.root());
    } catch (PatchException e) {
      if (e.text().endsWith("test failed")) {
        return object;
      }
      throw new ConfigurationFault("JSON Patch: " + e.text());
    }
    boolean custom = schema.declaration() != null;
    try {
      Decoded decoded =
          ObjectReader.tree(
              patched,
              object.root(),
              schema,
              custom ? FieldValidation.IGNORE : FieldValidation.STRICT);
      if (!decoded.problems().isEmpty()) {
        throw ApiException.internal(decoded.strictMessage(), null);
      }
      ApiObject result = new ApiObject(decoded.root());
      if (!result.apiVersion().equals(object.apiVersion())
          || !result.kind().equals(object.kind())) {
        throw ApiException.internal(
            "failed to convert object: "
                + result.apiVersion()
                + " "
                + result.kind()
                + " is no "
                + object.apiVersion()
                + " "
                + object.kind(),
            null);
      }
      return complete(result, schema);
    } catch (DecodeException e) {
      throw ApiException.internal(e.text(), e);
    }
  }

  private static void checkTypes(Outcome outcome) throws ConfigurationFault {
    String mismatches = outcome.typeMismatches();
    if (!mismatches.isEmpty()) {
      throw new ConfigurationFault("type mismatch: " + mismatches);
    }
  }

  private static ApiObject complete(ApiObject object, StructSchema schema) {
    return new ApiObject(DEFAULTS.complete(object.root(), schema));
  }
}
