package dev.keelson.fuzz;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.codec.tree.TreeBudget;
import dev.keelson.schema.proto.ProtoSchemas;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * The first byte chooses a type, the rest is an object of it. What can be read is written in every
 * format, and read again as the same.
 */
final class DecoderInput implements Consumer<byte[]> {

  /** What the object is written in. */
  enum Form {
    JSON,
    YAML,
    PROTOBUF
  }

  /** Between them they have every scalar, lists of messages, maps and free values. */
  static final List<StructSchema> TYPES =
      List.of(
          type("core.v1.Pod"),
          type("core.v1.ConfigMap"),
          type("core.v1.Event"),
          type("core.v1.Secret"),
          type("autoscaling.v1.HorizontalPodAutoscaler"),
          type("apps.v1.ControllerRevision"),
          type("networking.v1.NetworkPolicy"));

  private final Form form;

  DecoderInput(Form form) {
    this.form = form;
  }

  private static StructSchema type(String name) {
    return ProtoSchemas.fromClassPath().struct("io.k8s.api." + name);
  }

  static StructSchema typeOf(byte[] data) {
    return TYPES.get((data[0] & 0xFF) % TYPES.size());
  }

  static byte[] rest(byte[] data) {
    return Arrays.copyOfRange(data, 1, data.length);
  }

  @Override
  public void accept(byte[] data) {
    if (data.length == 0) {
      return;
    }
    StructSchema type = typeOf(data);
    byte[] body = rest(data);
    switch (form) {
      case JSON -> {
        if (data[0] < 0) {
          untyped(
              ObjectReader.untypedJson(body, FieldValidation.STRICT, TreeBudget.unbounded())
                  .root());
        } else {
          roundTrips(ObjectReader.json(body, type, FieldValidation.STRICT).root(), type);
        }
      }
      case YAML -> {
        if (data[0] < 0) {
          untyped(
              ObjectReader.untypedYaml(body, FieldValidation.STRICT, TreeBudget.unbounded())
                  .root());
        } else {
          roundTrips(ObjectReader.yaml(body, type, FieldValidation.STRICT).root(), type);
        }
      }
      case PROTOBUF ->
          roundTrips(ObjectReader.protobuf(body, type, FieldValidation.STRICT).root(), type);
    }
  }

  private static void untyped(Node tree) {
    byte[] json = ObjectWriter.json(tree);
    same(json, ObjectWriter.json(ObjectReader.untypedJson(json)), "JSON without a schema");
  }

  static void roundTrips(MapNode tree, StructSchema type) {
    byte[] json = ObjectWriter.json(tree);
    MapNode again = readBack(() -> ObjectReader.json(json, type, FieldValidation.IGNORE).root());
    same(json, ObjectWriter.json(again), "JSON");
    byte[] protobuf = ObjectWriter.protobuf(again, type);
    MapNode back =
        readBack(() -> ObjectReader.protobuf(protobuf, type, FieldValidation.IGNORE).root());
    same(protobuf, ObjectWriter.protobuf(back, type), "protobuf");
    byte[] yaml = ObjectWriter.yaml(again);
    MapNode fromYaml = readBack(() -> ObjectReader.yaml(yaml, type, FieldValidation.IGNORE).root());
    if (type.fields().stream().noneMatch(field -> field.type() instanceof SchemaNode.Free)
        && !again.map("metadata").has("managedFields")) {
      same(json, ObjectWriter.json(fromYaml), "YAML");
      return;
    }
    // without a schema the keys are sorted, and numbers are printed as Go does, 1.50 as 1.5 and
    // -9e16
    // then as an integer
    byte[] second = ObjectWriter.yaml(fromYaml);
    MapNode third = readBack(() -> ObjectReader.yaml(second, type, FieldValidation.IGNORE).root());
    same(second, ObjectWriter.yaml(third), "YAML");
  }

  /** What was written must not be refused. */
  private static MapNode readBack(java.util.function.Supplier<MapNode> reading) {
    try {
      return reading.get();
    } catch (DecodeException e) {
      throw new IllegalStateException("what was written cannot be read", e);
    }
  }

  static void same(byte[] expected, byte[] found, String form) {
    if (!Arrays.equals(expected, found)) {
      throw new IllegalStateException(form + " differs when it is read and written again");
    }
  }
}
