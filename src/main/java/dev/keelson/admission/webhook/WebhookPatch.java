package dev.keelson.admission.webhook;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.defaulting.SchemaDefaults;
import dev.keelson.schema.patch.JsonPatch;
import dev.keelson.schema.patch.PatchException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The JSON Patch of a mutating webhook. The patched object is decoded by its schema, which drops
 * unknown fields, and gets its defaults.
 *
 * @param document the operations
 */
record WebhookPatch(List<Node> document) {

  private static final SchemaDefaults DEFAULTS =
      new SchemaDefaults(
          literal -> ObjectReader.untypedJson(literal.getBytes(StandardCharsets.UTF_8)));

  /** Changes nothing. */
  static final WebhookPatch NONE = new WebhookPatch(List.of());

  /**
   * Reads a patch.
   *
   * @param json text: a list of operations in JSON, or {@code null}
   * @throws DecodeException if it is none
   */
  static WebhookPatch of(String json) {
    Node document = ObjectReader.untypedJson(json.getBytes(StandardCharsets.UTF_8));
    if (document == Node.Null.NULL) {
      return NONE;
    }
    if (!(document instanceof Node.Items operations)) {
      throw new DecodeException(
          DecodeException.Fault.SHAPE,
          "json: cannot unmarshal "
              + jsonType(document)
              + " into Go value of type jsonpatch.Patch");
    }
    for (Node operation : operations.values()) {
      if (!(operation instanceof MapNode) && operation != Node.Null.NULL) {
        throw new DecodeException(
            DecodeException.Fault.SHAPE,
            "json: cannot unmarshal "
                + jsonType(operation)
                + " into Go value of type jsonpatch.Operation");
      }
    }
    return new WebhookPatch(operations.values());
  }

  /** The word of Go's decoder for the type of a value. */
  static String jsonType(Node node) {
    return switch (node) {
      case MapNode _ -> "object";
      case Node.Items _ -> "array";
      case Node.Text _ -> "string";
      case Node.Bool _ -> "bool";
      default -> "number";
    };
  }

  boolean isEmpty() {
    return document.isEmpty();
  }

  /**
   * The patched object.
   *
   * @throws ApiException of reason InternalError if the patch does not apply, or makes something
   *     else of the object
   */
  ApiObject apply(ApiObject object, GroupVersionKind kind, StructSchema schema) {
    Node patched;
    try {
      patched = JsonPatch.of(new Node.Items(document)).apply(object.root());
    } catch (PatchException e) {
      throw ApiException.internal(e.text(), e);
    }
    if (!(patched instanceof MapNode root)
        || !root.text("apiVersion").equals(kind.apiVersion())
        || !root.text("kind").equals(kind.kind())) {
      throw ApiException.internal("the patch of a webhook changes the type of the object", null);
    }
    try {
      return new ApiObject(ObjectReader.tree(root, schema, FieldValidation.IGNORE).root());
    } catch (DecodeException e) {
      throw ApiException.internal(e.text(), e);
    }
  }

  /** The object with the defaults of its schema. */
  static ApiObject defaulted(ApiObject object, StructSchema schema) {
    return new ApiObject(DEFAULTS.complete(object.root(), schema));
  }
}
