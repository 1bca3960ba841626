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
import java.util.Base64;
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

  /**
   * Reads a patch.
   *
   * @throws ApiException of reason InternalError if it is no list of operations
   */
  static WebhookPatch of(String base64) {
    try {
      Node document = ObjectReader.untypedJson(Base64.getDecoder().decode(base64));
      return new WebhookPatch(
          document instanceof Node.Items items ? items.values() : notAList(document));
    } catch (IllegalArgumentException e) {
      throw WebhookDenial.internal("illegal base64 data in the patch of a webhook", e);
    } catch (DecodeException e) {
      throw WebhookDenial.internal(e.text(), e);
    }
  }

  private static List<Node> notAList(Node document) {
    if (document == Node.Null.NULL) {
      return List.of();
    }
    throw WebhookDenial.internal(
        "json: cannot unmarshal the patch of a webhook into a list of operations", null);
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
      throw WebhookDenial.internal(e.text(), e);
    }
    if (!(patched instanceof MapNode root)
        || !root.text("apiVersion").equals(kind.apiVersion())
        || !root.text("kind").equals(kind.kind())) {
      throw WebhookDenial.internal("the patch of a webhook changes the type of the object", null);
    }
    try {
      return new ApiObject(ObjectReader.tree(root, schema, FieldValidation.IGNORE).root());
    } catch (DecodeException e) {
      throw WebhookDenial.internal(e.text(), e);
    }
  }

  /** The object with the defaults of its schema. */
  static ApiObject defaulted(ApiObject object, StructSchema schema) {
    return new ApiObject(DEFAULTS.complete(object.root(), schema));
  }
}
