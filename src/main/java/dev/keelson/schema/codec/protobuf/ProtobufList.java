package dev.keelson.schema.codec.protobuf;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;

/**
 * A list of objects in Kubernetes' protobuf envelope, in pieces: a head, the items one by one, and
 * a tail. So the items need not be in memory as trees together, nor the list as one array.
 */
public final class ProtobufList {

  // the fields of every list
  private static final int METADATA = 1;
  public static final int ITEMS = 2;

  private static final int EXPECTED_BYTES = 2048;

  private ProtobufList() {}

  /** The piece for one item, in canonical form; its {@code apiVersion} and kind are left out. */
  public static byte[] item(MapNode object, StructSchema schema) {
    ProtobufOutput out = new ProtobufOutput(EXPECTED_BYTES).message(object, schema);
    return out.close(ITEMS, out.size()).toBytes();
  }

  /** Where in the piece for an item its message begins; it goes to the end. */
  public static int messageAt(byte[] item) {
    int at = 1;
    while (item[at++] < 0) {}
    return at;
  }

  /** The piece in front of a message that stands by itself; {@link #tail} goes behind it. */
  public static byte[] objectHead(String apiVersion, String kind, long messageBytes) {
    return Envelope.begin(new ProtobufOutput(64), apiVersion, kind, messageBytes).toBytes();
  }

  /**
   * The piece in front of the items.
   *
   * @param apiVersion of the list
   * @param kind of the list, for example {@code PodList}
   * @param metadata the list's metadata
   * @param listMeta the schema of {@code metadata}
   * @param itemBytes how many bytes all items have together
   */
  public static byte[] head(
      String apiVersion, String kind, MapNode metadata, StructSchema listMeta, long itemBytes) {
    ProtobufOutput out = new ProtobufOutput(128).message(metadata, listMeta);
    out.close(METADATA, out.size());
    return Envelope.begin(out, apiVersion, kind, out.size() + itemBytes).toBytes();
  }

  /** The piece behind the items. */
  public static byte[] tail() {
    return Envelope.end(new ProtobufOutput(8)).toBytes();
  }
}
