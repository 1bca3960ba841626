package dev.keelson.schema.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.protobuf.ProtobufOutput;
import dev.keelson.schema.codec.protobuf.ProtobufReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.Decoded;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.proto.ProtoSchemas;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables write protobuf in hexadecimal. */
@Timeout(120)
class HostileProtobufTest {

  private static final ProtoSchemas SCHEMAS = ProtoSchemas.fromClassPath();
  private static final StructSchema CONFIG_MAP = SCHEMAS.struct("io.k8s.api.core.v1.ConfigMap");
  private static final StructSchema SERVICE = SCHEMAS.struct("io.k8s.api.core.v1.Service");
  private static final StructSchema REVISION =
      SCHEMAS.struct("io.k8s.api.apps.v1.ControllerRevision");

  private static byte[] hex(String hex) {
    return HexFormat.of().parseHex(hex.replace(" ", ""));
  }

  private static MapNode message(byte[] bytes, StructSchema schema) {
    return ProtobufReader.object(bytes, 0, bytes.length, schema);
  }

  private static String json(MapNode object) {
    return new String(ObjectWriter.json(object), StandardCharsets.UTF_8).replace('"', '\'');
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ''                                | empty data
          6b                                | does not appear to be a protobuf message
          7b7d                              | expected prefix [107 56 115 0]
          6b387301 0a00                     | expected prefix [107 56 115 0]
          6b387300                          | empty body
          6b387300 0a                       | unexpected EOF
          6b387300 0a05 0a                  | unexpected EOF
          6b387300 0801                     | wrong wireType = 0 for field Unknown
          6b387300 0a02 0801                | wrong wireType = 0 for field Unknown
          6b387300 1205 0a                  | unexpected EOF
          6b387300 12ffffffffffffffffff01   | negative length
          6b387300 12ffffffff0f             | unexpected EOF
          6b387300 1a04 677a6970            | the content encoding "gzip" of the envelope
          6b387300 2203 612f62              | the content type "a/b" of the envelope
          6b387300 0a04 0a02 c328           | invalid UTF-8
          """)
  void brokenEnvelope_isAFaultOfTheEncoding(String hex, String message) {
    byte[] body = hex(hex);

    assertThatThrownBy(() -> ObjectReader.protobuf(body, CONFIG_MAP, FieldValidation.STRICT))
        .isInstanceOfSatisfying(
            DecodeException.class, e -> assertThat(e.fault()).isEqualTo(Fault.ENCODING))
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0a                                | unexpected EOF
          0a01                              | unexpected EOF
          0aff                              | unexpected EOF
          0affffffffffffffffffffff01        | integer overflow
          0affffffffffffffffff01            | negative length
          0affffffff7f                      | unexpected EOF
          0801                              | wrong wireType = 0 for field metadata
          0d00000000                        | wrong wireType = 5 for field metadata
          0a02 0a05                         | unexpected EOF
          0a02 0801                         | wrong wireType = 0 for field metadata.name
          0a02 0a01 41                      | unexpected EOF
          0a03 0a01 80                      | invalid UTF-8
          0a05 0a03 eda080                  | invalid UTF-8
          0a02 3a00                         | wrong wireType = 2 for field metadata.generation
          0a06 4204 0a02 4141               | wrong wireType = 2 for field metadata.creationTimestamp
          0a09 4207 08ffffffffff7f          | year outside of range
          00                                | illegal tag 0 (wire type 0)
          04                                | wiretype end group for non-group
          0c                                | wiretype end group for non-group
          7f                                | illegal wireType 7
          7e                                | illegal wireType 6
          7b                                | unexpected EOF
          7b 7c 7c                          | end group for non-group
          7d 0000                           | unexpected EOF
          79 00000000                       | unexpected EOF
          7a 05 00                          | unexpected EOF
          12 02 0801                        | wrong wireType = 0 for field data
          12 04 0a01 61 12                  | unexpected EOF
          """)
  void brokenMessage_isAFaultOfTheShape(String hex, String message) {
    byte[] bytes = hex(hex);

    assertThatThrownBy(() -> message(bytes, CONFIG_MAP))
        .isInstanceOfSatisfying(
            DecodeException.class, e -> assertThat(e.fault()).isEqualTo(Fault.SHAPE))
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                            | {'metadata':{}}
          7801                          | {'metadata':{}}
          7b 7b 7801 7c 7a0100 7c       | {'metadata':{}}
          f8ffffff1f 01                 | {'metadata':{}}
          0a03 0a0161 0a03 2a0162       | {'metadata':{'name':'a','uid':'b'}}
          0a06 0a0161 0a0162            | {'metadata':{'name':'b'}}
          0a02 3805                     | {'metadata':{'generation':5}}
          0a0b 38ffffffffffffffffff01   | {'metadata':{'generation':-1}}
          0a02 5000                     | {'metadata':{'deletionGracePeriodSeconds':0}}
          0a02 4200                     | {'metadata':{}}
          0a05 4203 08d81e              | {'metadata':{'creationTimestamp':'1970-01-01T01:05:28Z'}}
          1206 0a0162 12 01 32 1206 0a0161 12 01 31 | {'metadata':{},'data':{'a':'1','b':'2'}}
          1206 0a0161 12 01 32 1206 0a0161 12 01 31 | {'metadata':{},'data':{'a':'1'}}
          1200 1a00                     | {'metadata':{},'data':{'':''},'binaryData':{'':''}}
          2000                          | {'metadata':{},'immutable':false}
          2002                          | {'metadata':{},'immutable':true}
          """)
  void unusualMessage_isReadAsKubernetesDoes(String hex, String json) {
    assertThat(json(message(hex(hex), CONFIG_MAP))).isEqualTo(json);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          0802 1003 1a0161 | neither number nor string, but of type 2
          1203 616263      | wrong wireType = 2 for field spec.ports.targetPort
          1a02 ff          | unexpected EOF
          """)
  void badIntOrString_isAFault(String hex, String message) {
    byte[] target = hex(hex);
    byte[] port = tagged(4, target);
    byte[] service = tagged(2, tagged(1, port));

    assertThatThrownBy(() -> message(service, SERVICE))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "{", "[1,]", "k8s\0\n\0", "1 2", "{\"a\":1}}"})
  void rawValueThatIsNoJson_isAFault(String raw) {
    byte[] revision = tagged(2, tagged(1, raw.getBytes(StandardCharsets.UTF_8)));

    assertThatThrownBy(() -> message(revision, REVISION))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("field data holds no JSON");
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "{\"f:data\":", "}{}"})
  void fieldsOfAManagerThatAreNoJson_areText(String raw) {
    byte[] fields = tagged(7, tagged(1, raw.getBytes(StandardCharsets.UTF_8)));

    MapNode read = message(tagged(1, tagged(17, fields)), SERVICE);

    assertThat(read.map("metadata").items("managedFields"))
        .singleElement()
        .isInstanceOfSatisfying(
            MapNode.class, entry -> assertThat(entry.text("fieldsV1")).isEqualTo(raw));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"f:data\":{}}xyz", "{\"f:data\":{}} {}", "{\"f:data\":{}}{\"x\":1}"})
  void whatIsBehindTheFieldsOfAManager_isIgnored(String raw) {
    byte[] fields = tagged(7, tagged(1, raw.getBytes(StandardCharsets.UTF_8)));

    MapNode read = message(tagged(1, tagged(17, fields)), SERVICE);

    assertThat(read.map("metadata").items("managedFields"))
        .containsExactly(MapNode.of("fieldsV1", MapNode.of("f:data", MapNode.EMPTY)));
  }

  @Test
  void rawValue_isBoundedInDepthSoThatTheObjectCanBeReadAsJson() {
    for (int depth : List.of(300, 500, 507, 508, 509, 510, 511, 512, 513, 100_000)) {
      String raw = "[".repeat(depth) + "]".repeat(depth);
      byte[] revision = tagged(2, tagged(1, raw.getBytes(StandardCharsets.UTF_8)));
      MapNode read;
      try {
        read = message(revision, REVISION);
      } catch (DecodeException e) {
        assertThat(e.fault()).isEqualTo(Fault.LIMIT);
        assertThat(depth).isGreaterThan(500);
        continue;
      }
      assertThat(depth).isLessThan(511);
      assertThat(
              ObjectReader.json(ObjectWriter.json(read), REVISION, FieldValidation.STRICT).root())
          .isEqualTo(read);
    }
  }

  @Test
  void messagesInManyPieces_areMergedInLinearTime() {
    byte[] piece = concat(tagged(1, tagged(14, utf8("f"))), tagged(1, new byte[0]));
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int i = 0; i < 200_000; i++) {
      body.writeBytes(piece);
    }

    MapNode object = message(body.toByteArray(), CONFIG_MAP);

    assertThat(object.map("metadata").items("finalizers")).hasSize(200_000);
  }

  @Test
  void packedNumbers_areReadAndWrittenUnpacked() {
    StructSchema context = SCHEMAS.struct("io.k8s.api.core.v1.PodSecurityContext");

    MapNode packed = message(hex("22 04 01 02 ac02"), context);

    assertThat(json(packed)).isEqualTo("{'supplementalGroups':[1,2,300]}");
    assertThat(new ProtobufOutput(8).message(packed, context).toBytes())
        .isEqualTo(hex("2001 2002 20ac02"));
  }

  @Test
  void envelopeWithJson_isReadAsJson() {
    byte[] body =
        concat(
            new byte[] {'k', '8', 's', 0},
            tagged(1, concat(tagged(1, utf8("v1")), tagged(2, utf8("ConfigMap")))),
            tagged(2, utf8("{\"data\":{\"a\":\"b\"},\"other\":1}")),
            tagged(4, utf8("application/json")));

    Decoded decoded = ObjectReader.protobuf(body, CONFIG_MAP, FieldValidation.STRICT);

    assertThat(json(decoded.root()))
        .isEqualTo("{'kind':'ConfigMap','apiVersion':'v1','metadata':{},'data':{'a':'b'}}");
    assertThat(decoded.problems()).containsExactly("unknown field \"other\"");
  }

  @Test
  void anythingElse_isReadOrRefusedButNeverBreaks() {
    Random random = new Random(4711);
    int read = 0;
    int refused = 0;
    for (String type :
        List.of("core.v1.Service", "core.v1.ConfigMap", "core.v1.Event", "networking.v1.Ingress")) {
      StructSchema schema = SCHEMAS.struct("io.k8s.api." + type);
      byte[] whole = ObjectWriter.protobuf(SampleObjects.fill(schema, "v1", "X"), schema);
      for (int i = 0; i < 3_000; i++) {
        byte[] body = mutated(whole, random);
        try {
          MapNode object = ObjectReader.protobuf(body, schema, FieldValidation.STRICT).root();
          byte[] again = ObjectWriter.protobuf(object, schema);
          assertThat(ObjectReader.protobuf(again, schema, FieldValidation.STRICT).root())
              .isEqualTo(object);
          assertThat(
                  ObjectReader.json(ObjectWriter.json(object), schema, FieldValidation.STRICT)
                      .root())
              .isEqualTo(object);
          read++;
        } catch (DecodeException e) {
          assertThat(e.text()).isNotEmpty();
          refused++;
        }
      }
    }
    assertThat(read).isGreaterThan(100);
    assertThat(refused).isGreaterThan(1_000);
  }

  private static byte[] mutated(byte[] whole, Random random) {
    byte[] body = whole.clone();
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      int at = 4 + random.nextInt(body.length - 4);
      switch (random.nextInt(4)) {
        case 0 -> body[at] = (byte) random.nextInt(256);
        case 1 -> body[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> body[at] = (byte) (random.nextBoolean() ? 0xFF : 0);
        default -> body = Arrays.copyOf(body, Math.max(8, at));
      }
    }
    return body;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] tagged(int number, byte[] content) {
    return new ProtobufOutput(content.length + 8)
        .raw(content)
        .close(number, content.length)
        .toBytes();
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }
}
