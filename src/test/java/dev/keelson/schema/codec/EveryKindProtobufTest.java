package dev.keelson.schema.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.Unions;
import dev.keelson.schema.codec.protobuf.ProtobufOutput;
import dev.keelson.schema.codec.protobuf.ProtobufReader;
import dev.keelson.schema.codec.tree.FieldValidation;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Admissionregistration;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Authentication;
import io.kubernetes.client.proto.V1Authorization;
import io.kubernetes.client.proto.V1Autoscaling;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Certificates;
import io.kubernetes.client.proto.V1Networking;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Scheduling;
import io.kubernetes.client.proto.V1Storage;
import io.kubernetes.client.proto.V1beta1Batch;
import io.kubernetes.client.proto.V1beta1Extensions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Full and empty objects of every served type pass through protobuf unchanged, and the protobuf
 * classes of Kubernetes' own Java client agree with every byte, as far as they go.
 */
@Timeout(120)
class EveryKindProtobufTest {

  private static final Map<String, Descriptor> JUDGE = judge();
  private static final int INITIALIZERS = 16;

  static Stream<BuiltInKind> kinds() {
    return BuiltInKind.all();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void protobuf_decodedAndEncoded_isUnchanged(BuiltInKind kind) {
    byte[] protobuf = ObjectWriter.protobuf(kind.sample(), kind.schema());

    MapNode decoded = read(protobuf, kind.schema());

    assertThat(ObjectWriter.protobuf(decoded, kind.schema())).isEqualTo(protobuf);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void protobufAndJson_areReadAsTheSameTree(BuiltInKind kind) {
    MapNode sample = (MapNode) withoutInnerTypes(kind.sample(), kind.schema(), true);

    MapNode decoded = read(ObjectWriter.protobuf(sample, kind.schema()), kind.schema());

    assertThat(json(decoded)).isEqualTo(json(sample));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void empty_isWhatJsonMakesOfIt(BuiltInKind kind) {
    MapNode empty =
        ObjectReader.json(
                "{}".getBytes(StandardCharsets.UTF_8), kind.schema(), FieldValidation.STRICT)
            .root();
    byte[] protobuf = ObjectWriter.protobuf(empty, kind.schema());

    assertThat(json(read(protobuf, kind.schema()))).isEqualTo(json(empty));
    assertThat(ProtobufReader.object(new byte[0], 0, 0, kind.schema())).isEqualTo(empty);
  }

  static Stream<BuiltInKind> judgedKinds() {
    return kinds().filter(kind -> JUDGE.containsKey(judgeName(kind.schema().name())));
  }

  @Test
  void judge_knowsMostKinds() {
    assertThat(judgedKinds()).hasSizeGreaterThan(60);
  }

  @ParameterizedTest
  @MethodSource("judgedKinds")
  void fullMessage_isWhatTheJudgeWrites(BuiltInKind kind) throws IOException {
    assertJudged(message(kind.sample(), kind.schema()), kind);
  }

  @ParameterizedTest
  @MethodSource("judgedKinds")
  void emptyMessage_isWhatTheJudgeWrites(BuiltInKind kind) throws IOException {
    assertJudged(message(MapNode.EMPTY, kind.schema()), kind);
  }

  private static void assertJudged(byte[] message, BuiltInKind kind) throws IOException {
    Descriptor type = JUDGE.get(judgeName(kind.schema().name()));
    DynamicMessage judged = DynamicMessage.parseFrom(type, message);
    byte[] expected = deterministic(known(judged));
    if (known(judged).equals(judged)) {
      assertThat(message).isEqualTo(expected);
    }

    // what the judge writes is read, and is the same again in all that it knows
    MapNode again = ProtobufReader.object(expected, 0, expected.length, kind.schema());
    Message once = DynamicMessage.parseFrom(type, message(again, kind.schema()));
    assertThat(deterministic(known(once))).isEqualTo(expected);
  }

  private static MapNode read(byte[] protobuf, StructSchema schema) {
    return ObjectReader.protobuf(protobuf, schema, FieldValidation.STRICT).root();
  }

  private static byte[] message(MapNode object, StructSchema schema) {
    return new ProtobufOutput(64).message(object, schema).toBytes();
  }

  private static String json(Node node) {
    return new String(ObjectWriter.json(node), StandardCharsets.UTF_8);
  }

  /** The wire has types in the envelope only, not for options inside an object. */
  private static Node withoutInnerTypes(Node node, SchemaNode type, boolean root) {
    return switch (type) {
      case StructSchema struct -> {
        MapNode.Builder object = MapNode.builder(8);
        for (Field field : struct.fields()) {
          Node value = ((MapNode) node).get(field.name());
          if (value != null && (root || field.number() != 0)) {
            object.put(field.name(), withoutInnerTypes(value, field.type(), false));
          }
        }
        yield object.build();
      }
      case ListOf list when node instanceof Items items ->
          new Items(
              items.values().stream()
                  .map(item -> withoutInnerTypes(item, list.element(), false))
                  .toList());
      case MapOf map -> {
        MapNode.Builder entries = MapNode.builder(8);
        ((MapNode) node)
            .forEach(
                (key, value) -> entries.put(key, withoutInnerTypes(value, map.value(), false)));
        yield entries.build();
      }
      case SchemaNode.Union union -> {
        Field holder = Unions.holding(union, node);
        yield holder == null ? node : withoutInnerTypes(node, holder.type(), false);
      }
      case ListOf _, Scalar _, Free _, SchemaNode.Structural _ -> node;
    };
  }

  private static byte[] deterministic(Message message) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CodedOutputStream coded = CodedOutputStream.newInstance(out);
    coded.useDeterministicSerialization();
    message.writeTo(coded);
    coded.flush();
    return out.toByteArray();
  }

  /**
   * The message as far as the judge knows it. What is younger than the judge has a number above all
   * that it knows; anything else that it does not understand is our mistake, but for the
   * initializers of metadata, which it has forgotten.
   */
  private static Message known(Message message) {
    int newest =
        message.getDescriptorForType().getFields().stream()
            .mapToInt(FieldDescriptor::getNumber)
            .max()
            .orElse(0);
    assertThat(message.getUnknownFields().asMap().keySet())
        .as(message.getDescriptorForType().getFullName())
        .allMatch(number -> number > newest || number == INITIALIZERS);
    Message.Builder builder = message.newBuilderForType();
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
                builder.setField(field, value);
              } else if (field.isRepeated()) {
                for (Object each : (List<?>) value) {
                  builder.addRepeatedField(field, known((Message) each));
                }
              } else {
                builder.setField(field, known((Message) value));
              }
            });
    return builder.setUnknownFields(UnknownFieldSet.getDefaultInstance()).build();
  }

  private static String judgeName(String name) {
    return "k8s.io." + name.substring("io.k8s.".length());
  }

  private static Map<String, Descriptor> judge() {
    Map<String, Descriptor> types = new HashMap<>();
    for (FileDescriptor file :
        Arrays.asList(
            Meta.getDescriptor(),
            Runtime.getDescriptor(),
            V1.getDescriptor(),
            V1Admissionregistration.getDescriptor(),
            V1Apps.getDescriptor(),
            V1Authentication.getDescriptor(),
            V1Authorization.getDescriptor(),
            V1Autoscaling.getDescriptor(),
            V1Batch.getDescriptor(),
            V1Certificates.getDescriptor(),
            V1Networking.getDescriptor(),
            V1Policy.getDescriptor(),
            V1Rbac.getDescriptor(),
            V1Scheduling.getDescriptor(),
            V1Storage.getDescriptor(),
            V1beta1Batch.getDescriptor(),
            V1beta1Extensions.getDescriptor())) {
      file.getMessageTypes().forEach(type -> types.put(type.getFullName(), type));
    }
    return types;
  }
}
