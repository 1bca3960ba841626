package dev.keelson.fuzz;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.protobuf.ProtobufList;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.codec.stored.StoredPath;
import dev.keelson.schema.codec.stored.StoredScan;
import dev.keelson.schema.codec.stored.WireForm;
import dev.keelson.schema.proto.ProtoSchemas;
import java.util.Arrays;
import java.util.function.Consumer;

/**
 * A stored value of a Pod. What the straight ways between JSON and protobuf make of it must be what
 * the way over a tree gives.
 */
final class StoredInput implements Consumer<byte[]> {

  private static final GroupVersionKind KIND = new GroupVersionKind("", "v1", "Pod");
  private static final StructSchema PODS =
      ProtoSchemas.fromClassPath().struct("io.k8s.api.core.v1.Pod");
  private static final StoredPath PHASE = StoredPath.of(PODS, "status.phase");
  private static final WireForm WIRE = new WireForm(new StoredType("pods", KIND, PODS), KIND, PODS);

  @Override
  public void accept(byte[] input) {
    // a scan tells what it can, whatever stands there
    if (StoredScan.labels(input) == null && StoredScan.mayConcernOwners(input)) {
      StoredScan.field(input, PHASE);
    }
    byte[] json = WIRE.json(input, 7);
    byte[] item = WIRE.item(input, 7);
    if (!StoredForm.kindOf(input).equals(KIND)) {
      return;
    }
    MapNode tree = StoredForm.decode(input, PODS, 7);
    if (json != null) {
      DecoderInput.same(ObjectWriter.json(tree), json, "JSON, straight");
    }
    if (item != null && input[0] == '{') {
      byte[] whole = ObjectWriter.protobuf(tree, PODS);
      int at = ProtobufList.messageAt(item);
      int head = whole.length - (item.length - at) - 4;
      if (head < 0 || !Arrays.equals(whole, head, whole.length - 4, item, at, item.length)) {
        throw new IllegalStateException("protobuf, straight, differs from that of the tree");
      }
    }
  }
}
