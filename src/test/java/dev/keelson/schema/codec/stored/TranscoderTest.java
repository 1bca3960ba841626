package dev.keelson.schema.codec.stored;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.BuiltInKind;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.json.JsonTape;
import dev.keelson.schema.codec.json.JsonTape.NotCanonicalException;
import dev.keelson.schema.codec.protobuf.ProtobufList;
import dev.keelson.schema.codec.protobuf.ProtobufOutput;
import dev.keelson.schema.codec.protobuf.ProtobufReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The ways without a tree give the bytes that the ways over a tree give, or leave it to them. JSON
 * in the tables has ' for ".
 */
@Timeout(120)
class TranscoderTest {

  private static final StructSchema POD =
      ProtoSchemas.fromClassPath().struct("io.k8s.api.core.v1.Pod");

  private static final String DAMAGE = "\"\\{}[],:0 -.ntfZ\u00e9a";

  static Stream<BuiltInKind> kinds() {
    return BuiltInKind.all();
  }

  /** Values of more than one shape go through the tree; schemas of custom resources have some. */
  static Stream<BuiltInKind> transcodedKinds() {
    return kinds().filter(kind -> !kind.gvk().kind().equals("CustomResourceDefinition"));
  }

  private static byte[] overTree(byte[] json, StructSchema schema) {
    MapNode tree = ObjectReader.json(json, schema, FieldValidation.IGNORE).root();
    return new ProtobufOutput(64).message(tree, schema).toBytes();
  }

  private static byte[] utf8(String json) {
    return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @MethodSource("transcodedKinds")
  void jsonOfFullObject_isTheSameProtobuf(BuiltInKind kind) {
    byte[] json = ObjectWriter.json(kind.sample());

    byte[] message = new JsonToProtobuf().message(json, WirePlan.of(kind.schema()), 0);

    assertThat(message).isEqualTo(overTree(json, kind.schema()));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void jsonOfEmptyObject_isTheSameProtobuf(BuiltInKind kind) {
    byte[] json = utf8("{}");

    byte[] message = new JsonToProtobuf().message(json, WirePlan.of(kind.schema()), 0);

    assertThat(message).isEqualTo(overTree(json, kind.schema()));
  }

  @Test
  void union_isLeftToTheTree() {
    BuiltInKind kind =
        kinds()
            .filter(each -> each.gvk().kind().equals("CustomResourceDefinition"))
            .findFirst()
            .orElseThrow();
    byte[] json = ObjectWriter.json(kind.sample());

    assertThatThrownBy(() -> new JsonToProtobuf().message(json, WirePlan.of(kind.schema()), 0))
        .isInstanceOf(NotCanonicalException.class);
  }

  @Test
  void revision_isPutIntoTheMetadata() {
    byte[] json = utf8("{'metadata':{'name':'a','uid':'u','labels':{'a':'b'}},'spec':{}}");
    byte[] with =
        utf8("{'metadata':{'name':'a','resourceVersion':'42','uid':'u','labels':{'a':'b'}}}");

    assertThat(new JsonToProtobuf().message(json, WirePlan.of(POD), 42))
        .isEqualTo(overTree(with, POD));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'metadata':{'name':'\\u00e9\\n\\t\\\\\\/ é😀 \\u2028\\u003c'}}",
        "{'metadata':{'annotations':{'a':'','b':'\\b\\f\\r"
            + "'}},'unknown':{'a':[1,2,{}]},'status':{}}",
        "{'spec':{'priority':-7,'terminationGracePeriodSeconds':123456789012345678}}",
        "{'metadata':{'managedFields':[{'fieldsV1':{'f:a':{'.':{}}},'time':'2024-02-29T23:59:59Z'}]}}",
        "{'spec':{'containers':[{'name':'','resources':{'limits':{'cpu':'1','memory':'2Gi'}}},{}]}}",
        "{'spec':{'containers':[{'livenessProbe':{'httpGet':{'port':80}}},"
            + "{'livenessProbe':{'httpGet':{'port':'http'}}}]}}"
      })
  void json_isTheSameProtobuf(String json) {
    assertThat(new JsonToProtobuf().message(utf8(json), WirePlan.of(POD), 0))
        .isEqualTo(overTree(utf8(json), POD));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "{}x",
        "{ }",
        "[]",
        "null",
        "{'spec':[]}",
        "{'spec':{'priority':1.0}}",
        "{'spec':{'priority':-0}}",
        "{'spec':{'priority':01}}",
        "{'spec':{'priority':2147483648}}",
        "{'spec':{'hostNetwork':1}}",
        "{'spec':{'hostNetwork':true,'hostNetwork':false}}",
        "{'metadata':{'name':1}}",
        "{'metadata':{'name':'\\ud83d\\ude00'}}",
        "{'metadata':{'name':'\\x'}}",
        "{'metadata':{'name':'a\nb'}}",
        "{'metadata':{'labels':{'b':'','a':''}}}",
        "{'metadata':{'labels':{'a':'','a':''}}}",
        "{'metadata':{'labels':{'a':null}}}",
        "{'metadata':{'finalizers':[null]}}",
        "{'metadata':{'creationTimestamp':'2024-02-30T00:00:00Z'}}",
        "{'metadata':{'creationTimestamp':'0001-01-01T00:00:00Z'}}",
        "{'metadata':{'creationTimestamp':'2024-01-01T00:00:00+01:00'}}",
        "{'metadata':{'n\\u0061me':'x'}}"
      })
  void unusualJson_isLeftToTheTree(String json) {
    JsonToProtobuf transcoder = new JsonToProtobuf();
    WirePlan plan = WirePlan.of(POD);

    assertThatThrownBy(() -> transcoder.message(utf8(json), plan, 0))
        .isInstanceOf(NotCanonicalException.class);
    // and the transcoder goes on
    assertThat(transcoder.message(utf8("{}"), plan, 0)).isEqualTo(overTree(utf8("{}"), POD));
  }

  private static byte[] jsonOf(byte[] message, StructSchema schema) {
    return new ProtobufToJson()
        .json(message, 0, message.length, WirePlan.of(schema), new byte[] {'{'}, 0);
  }

  private static String jsonOverTree(byte[] message, StructSchema schema) {
    MapNode tree = ProtobufReader.object(message, 0, message.length, schema);
    return new String(ObjectWriter.json(tree), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @MethodSource("transcodedKinds")
  void protobufOfFullObject_isTheSameJson(BuiltInKind kind) {
    byte[] message = new ProtobufOutput(64).message(kind.sample(), kind.schema()).toBytes();

    assertThat(new String(jsonOf(message, kind.schema()), StandardCharsets.UTF_8))
        .isEqualTo(jsonOverTree(message, kind.schema()));
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void protobufOfEmptyObject_isTheSameJson(BuiltInKind kind) {
    byte[] written = new ProtobufOutput(64).message(MapNode.EMPTY, kind.schema()).toBytes();

    for (byte[] message : new byte[][] {written, {}}) {
      assertThat(new String(jsonOf(message, kind.schema()), StandardCharsets.UTF_8))
          .isEqualTo(jsonOverTree(message, kind.schema()));
    }
  }

  /** Found by fuzzing: without metadata the revision had no place, and was left out. */
  @Test
  void protobufWithoutMetadata_isNotServedWithoutItsRevision() {
    byte[] nothing = {};

    assertThatThrownBy(
            () -> new ProtobufToJson().json(nothing, 0, 0, WirePlan.of(POD), new byte[] {'{'}, 42))
        .isInstanceOf(JsonTape.NotCanonicalException.class);
  }

  @Test
  void storedWithNoManagers_isServedWithNone() {
    GroupVersionKind kind = new GroupVersionKind("", "v1", "Pod");
    WireForm form = new WireForm(new StoredType("pods", kind, POD), kind, POD);
    byte[] stored =
        utf8("{'apiVersion':'v1','kind':'Pod','metadata':{'name':'a','managedFields':[]}}");

    MapNode decoded = StoredForm.decode(stored, POD, 7);

    assertThat(decoded.map("metadata").has("managedFields")).isFalse();
    assertThat(form.item(stored, 7)).isEqualTo(ProtobufList.item(decoded, POD));
  }

  @Test
  void protobufWithRevision_isTheSameJson() {
    MapNode pod =
        ObjectReader.json(
                utf8("{'metadata':{'name':'a\\n<é','uid':'u'},'spec':{'priority':-3}}"),
                POD,
                FieldValidation.STRICT)
            .root();
    byte[] message = new ProtobufOutput(64).message(pod, POD).toBytes();

    byte[] json =
        new ProtobufToJson()
            .json(message, 0, message.length, WirePlan.of(POD), new byte[] {'{'}, 42);

    assertThat(new String(json, StandardCharsets.UTF_8))
        .isEqualTo(
            new String(
                ObjectWriter.json(StoredForm.withRevision(pod, POD, 42)), StandardCharsets.UTF_8));
  }

  @Test
  void stored_inEitherMedium_isServedTheSame() {
    GroupVersionKind kind = new GroupVersionKind("", "v1", "Pod");
    WireForm form = new WireForm(new StoredType("pods", kind, POD), kind, POD);
    MapNode pod =
        ObjectReader.json(
                utf8("{'kind':'Pod','apiVersion':'v1','metadata':{'name':'a','uid':'u'}}"),
                POD,
                FieldValidation.STRICT)
            .root();
    byte[] json = StoredForm.encode(pod, POD, StoredForm.Medium.JSON);
    byte[] protobuf = StoredForm.encode(pod, POD, StoredForm.Medium.PROTOBUF);
    MapNode served = StoredForm.withRevision(pod, POD, 1234);

    assertThat(form.item(json, 1234)).isEqualTo(ProtobufList.item(served, POD));
    assertThat(form.item(protobuf, 1234)).isEqualTo(ProtobufList.item(served, POD));
    assertThat(form.json(protobuf, 1234)).isEqualTo(ObjectWriter.json(served));
    assertThat(form.jsonItem(protobuf, 1234))
        .isEqualTo(ObjectWriter.json(served.without("kind").without("apiVersion")));
    assertThat(form.json(json, 1234)).isNull();
    assertThat(form.item(Arrays.copyOf(protobuf, protobuf.length - 9), 1234)).isNull();
  }

  /** Small damage everywhere: the same JSON as over the tree, or left to it. */
  @ParameterizedTest
  @MethodSource("transcodedKinds")
  void damagedProtobuf_isNeverSomethingElse(BuiltInKind kind) {
    byte[] whole = new ProtobufOutput(64).message(kind.sample(), kind.schema()).toBytes();
    Random random = new Random(6);
    int compared = 0;
    for (int i = 0; i < 300; i++) {
      byte[] message = whole.clone();
      message[random.nextInt(message.length)] = (byte) random.nextInt(256);
      byte[] json;
      try {
        json = jsonOf(message, kind.schema());
      } catch (NotCanonicalException unusual) {
        continue;
      }
      assertThat(new String(json, StandardCharsets.UTF_8))
          .isEqualTo(jsonOverTree(message, kind.schema()));
      compared++;
    }
    assertThat(compared).isPositive();
  }

  /** Small damage everywhere: the same bytes as over the tree, or left to it. */
  @ParameterizedTest
  @MethodSource("kinds")
  void damagedJson_isNeverSomethingElse(BuiltInKind kind) {
    byte[] whole = ObjectWriter.json(kind.sample());
    Random random = new Random(5);
    JsonToProtobuf transcoder = new JsonToProtobuf();
    int compared = 0;
    for (int i = 0; i < 300; i++) {
      byte[] json = whole.clone();
      json[random.nextInt(json.length)] = (byte) DAMAGE.charAt(random.nextInt(DAMAGE.length()));
      byte[] message;
      try {
        message = transcoder.message(json, WirePlan.of(kind.schema()), 0);
      } catch (NotCanonicalException unusual) {
        continue;
      }
      byte[] expected;
      try {
        expected = overTree(json, kind.schema());
      } catch (DecodeException damaged) {
        continue;
      }
      assertThat(Arrays.equals(message, expected)).as(() -> damage(whole, json)).isTrue();
      compared++;
    }
    assertThat(compared).isPositive();
  }

  private static String damage(byte[] whole, byte[] json) {
    int at = Arrays.mismatch(whole, json);
    int from = Math.max(0, at - 40);
    return new String(json, from, Math.min(80, json.length - from), StandardCharsets.UTF_8);
  }
}
