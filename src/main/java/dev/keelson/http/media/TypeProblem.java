package dev.keelson.http.media;

import dev.keelson.object.GoText;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.codec.tree.TreeBudget;

/**
 * Tells why the type of a body cannot be read, which Kubernetes does before it reads the rest
 * (source: SimpleMetaFactory of apimachinery's JSON serializer).
 */
final class TypeProblem {

  private TypeProblem() {}

  /** The problem in Go's words, or empty if the body is an object with a readable type. */
  static String of(byte[] body, Format format) {
    if (format == Format.PROTOBUF) {
      return "";
    }
    TreeBudget budget = TreeBudget.forBody(body.length);
    Node root;
    try {
      root =
          format == Format.YAML
              ? ObjectReader.untypedYaml(body, FieldValidation.IGNORE, budget).root()
              : ObjectReader.untypedJson(body, FieldValidation.IGNORE, budget).root();
    } catch (DecodeException _) {
      // the body has another problem, which the caller knows
      return "";
    }
    if (!(root instanceof MapNode object)) {
      return "json: cannot unmarshal "
          + GoText.jsonType(root)
          + " into Go value of type struct { APIVersion string"
          + " \"json:\\\"apiVersion,omitempty\\\"\"; Kind string"
          + " \"json:\\\"kind,omitempty\\\"\" }";
    }
    for (int i = 0; i < object.size(); i++) {
      String name = object.keyAt(i);
      Node value = object.valueAt(i);
      boolean isText = value instanceof Node.Text || value == Node.Null.NULL;
      if (!isText && (name.equals("apiVersion") || name.equals("kind"))) {
        return "json: cannot unmarshal "
            + GoText.jsonType(value)
            + " into Go struct field ."
            + name
            + " of type string";
      }
    }
    return "";
  }
}
