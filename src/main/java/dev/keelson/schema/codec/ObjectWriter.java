package dev.keelson.schema.codec;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.json.Indenter;
import dev.keelson.schema.codec.json.JsonOutput;
import dev.keelson.schema.codec.protobuf.Envelope;
import dev.keelson.schema.codec.protobuf.ProtobufOutput;
import dev.keelson.schema.codec.tree.Canonical;
import dev.keelson.schema.codec.yaml.YamlOutput;

/**
 * Encodes trees to bytes. A tree is written in its order; {@link Canonical#form} restores the order
 * that clients expect after an edit.
 */
public final class ObjectWriter {

  private static final int EXPECTED_BYTES = 2048;

  private ObjectWriter() {}

  /** Compact JSON without a newline at the end. */
  public static byte[] json(Node node) {
    return JsonOutput.json(node);
  }

  /** YAML as kubectl and kube-apiserver print it: keys sorted, two spaces, a newline at the end. */
  public static byte[] yaml(Node node) {
    return YamlOutput.document(node, EXPECTED_BYTES);
  }

  /**
   * The object in Kubernetes' protobuf envelope, byte for byte as Kubernetes writes it.
   *
   * @param root in canonical form, with {@code apiVersion} and {@code kind}
   */
  public static byte[] protobuf(MapNode root, StructSchema schema) {
    ProtobufOutput out = Envelope.end(new ProtobufOutput(EXPECTED_BYTES));
    int end = out.size();
    out.message(root, schema);
    return Envelope.begin(out, root.text("apiVersion"), root.text("kind"), out.size() - end)
        .toBytes();
  }

  /** JSON on several lines, indented by two spaces, without a newline at the end. */
  public static byte[] prettyJson(Node node) {
    return pretty(json(node));
  }

  /**
   * Compact JSON on several lines, indented by two spaces, as Go's {@code json.Indent} does.
   *
   * @param compact valid JSON without white space between its tokens
   */
  public static byte[] pretty(byte[] compact) {
    return new Indenter().begin(0).add(compact, 0, compact.length).toBytes();
  }
}
