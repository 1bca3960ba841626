package dev.keelson.fuzz;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.MapNode;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.StructSchema;
import dev.keelson.schema.codec.DecodeException;
import dev.keelson.schema.codec.FieldValidation;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.StoredForm;
import dev.keelson.schema.codec.StoredPath;
import dev.keelson.schema.codec.StoredScan;
import dev.keelson.schema.codec.WireForm;
import dev.keelson.schema.proto.ProtoSchemas;
import java.util.Arrays;

/**
 * Any bytes as JSON, YAML, protobuf or a stored value: they are read or refused with a {@link
 * DecodeException}, and what was read is written and read again as the same. The first byte of the
 * input says as what the rest is taken.
 *
 * <p>What the two ways between JSON and protobuf make of the same bytes, straight and over a tree,
 * must not differ.
 */
public final class DecodersFuzz {

  private static final GroupVersionKind KIND = new GroupVersionKind("", "v1", "Pod");
  private static final StructSchema PODS =
      ProtoSchemas.fromClassPath().struct("io.k8s.api.core.v1.Pod");
  private static final StoredPath PHASE = StoredPath.of(PODS, "status.phase");
  private static final WireForm WIRE = new WireForm(new StoredType("pods", KIND, PODS), KIND, PODS);

  private DecodersFuzz() {}

  /** Called by the fuzzer with each input. */
  public static void fuzzerTestOneInput(byte[] data) {
    if (data.length == 0) {
      return;
    }
    byte[] input = Arrays.copyOfRange(data, 1, data.length);
    try {
      switch (data[0] & 3) {
        case 0 -> check(ObjectReader.json(input, PODS, FieldValidation.STRICT).root());
        case 1 -> check(ObjectReader.yaml(input, PODS, FieldValidation.STRICT).root());
        case 2 -> check(ObjectReader.protobuf(input, PODS, FieldValidation.STRICT).root());
        default -> stored(input);
      }
    } catch (DecodeException refused) {
      if (refused.text() == null) {
        throw new IllegalStateException("refused without a word", refused);
      }
    }
  }

  private static void check(MapNode tree) {
    byte[] json = ObjectWriter.json(tree);
    MapNode again = ObjectReader.json(json, PODS, FieldValidation.IGNORE).root();
    same(json, ObjectWriter.json(again), "JSON");
    byte[] protobuf = ObjectWriter.protobuf(again, PODS);
    MapNode back = ObjectReader.protobuf(protobuf, PODS, FieldValidation.IGNORE).root();
    same(protobuf, ObjectWriter.protobuf(back, PODS), "protobuf");
    byte[] yaml = ObjectWriter.yaml(again);
    byte[] fromYaml =
        ObjectWriter.json(ObjectReader.yaml(yaml, PODS, FieldValidation.IGNORE).root());
    same(json, fromYaml, "YAML");
  }

  private static void stored(byte[] input) {
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
      same(ObjectWriter.json(tree), json, "JSON, straight");
    }
    if (item != null && input[0] == '{') {
      byte[] whole = ObjectWriter.protobuf(tree, PODS);
      int at = dev.keelson.schema.codec.ProtobufList.messageAt(item);
      int head = whole.length - (item.length - at) - 4;
      if (head < 0 || !Arrays.equals(whole, head, whole.length - 4, item, at, item.length)) {
        throw new IllegalStateException("protobuf, straight, differs from that of the tree");
      }
    }
  }

  private static void same(byte[] expected, byte[] found, String form) {
    if (!Arrays.equals(expected, found)) {
      throw new IllegalStateException(form + " differs when it is read and written again");
    }
  }
}
