package dev.keelson.schema.codec;

import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import dev.keelson.schema.StructSchema;
import java.io.ByteArrayOutputStream;

/**
 * Trees to bytes. A tree is written as it stands; {@link Canonical#form} brings an edited one into
 * the order that clients expect.
 */
public final class ObjectWriter {

  private static final int EXPECTED_BYTES = 2048;

  private ObjectWriter() {}

  /** Compact JSON without a newline at the end. */
  public static byte[] json(Node node) {
    return new JsonOutput(EXPECTED_BYTES).value(node).toBytes();
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
    ByteArrayOutputStream out = new ByteArrayOutputStream(compact.length * 2);
    int depth = 0;
    boolean string = false;
    for (int i = 0; i < compact.length; i++) {
      byte b = compact[i];
      if (string) {
        out.write(b);
        if (b == '\\') {
          out.write(compact[++i]);
        } else {
          string = b != '"';
        }
        continue;
      }
      switch (b) {
        case '"' -> {
          string = true;
          out.write(b);
        }
        case '{', '[' -> {
          out.write(b);
          // the brackets of something empty stay together
          if (compact[i + 1] == b + 2) {
            out.write(compact[++i]);
          } else {
            newline(out, ++depth);
          }
        }
        case '}', ']' -> {
          newline(out, --depth);
          out.write(b);
        }
        case ',' -> {
          out.write(b);
          newline(out, depth);
        }
        case ':' -> {
          out.write(b);
          out.write(' ');
        }
        default -> out.write(b);
      }
    }
    return out.toByteArray();
  }

  private static void newline(ByteArrayOutputStream out, int depth) {
    out.write('\n');
    for (int i = 0; i < depth; i++) {
      out.write(' ');
      out.write(' ');
    }
  }
}
