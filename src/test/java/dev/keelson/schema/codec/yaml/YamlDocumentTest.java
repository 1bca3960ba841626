package dev.keelson.schema.codec.yaml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.Decoded;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What was expected here was compared with what kubectl 1.32 makes of the same YAML. */
@Timeout(120)
class YamlDocumentTest {

  private static final ProtoSchemas SCHEMAS = ProtoSchemas.fromClassPath();
  private static final StructSchema DEPLOYMENT = SCHEMAS.struct("io.k8s.api.apps.v1.Deployment");
  private static final StructSchema CONFIG_MAP = SCHEMAS.struct("io.k8s.api.core.v1.ConfigMap");

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String json(String yaml) {
    return json(utf8(yaml));
  }

  private static String json(byte[] yaml) {
    return new String(ObjectWriter.json(ObjectReader.untypedYaml(yaml)), StandardCharsets.UTF_8);
  }

  private static Decoded typed(String yaml, StructSchema schema) {
    return ObjectReader.yaml(utf8(yaml), schema, FieldValidation.STRICT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})
  void words_forTrue(String word) {
    assertThat(json("a: " + word)).isEqualTo("{\"a\":true}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})
  void words_forFalse(String word) {
    assertThat(json("a: " + word)).isEqualTo("{\"a\":false}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "~", "null", "Null", "NULL", "!!null ''"})
  void words_forNull(String word) {
    assertThat(json("a: " + word)).isEqualTo("{\"a\":null}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "yEs",
        "tRUE",
        "nULL",
        "none",
        "2001-01-01",
        "2001-1-1 1:2:3",
        "2001-01-01T00:00:00Z",
        "12:30:45",
        "1:20",
        "0x",
        "0b2",
        "1.5e",
        "1e400",
        "1.2.3",
        "_1",
        "--1",
        "0o8",
        "+-1"
      })
  void words_thatAreStrings(String word) {
    assertThat(
            json(
                "["
                    + word
                    + ", '"
                    + word
                    + "', \""
                    + word
                    + "\", !!str "
                    + word
                    + ", ! "
                    + word
                    + "]"))
        .isEqualTo(("[" + "\"W\",".repeat(5) + "]").replace("W", word).replace(",]", "]"));
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "-1,-1",
    "+1,1",
    "010,8",
    "0o10,8",
    "00,0",
    "-0,0",
    "0x1f,31",
    "0X1F,31",
    "-0x1f,-31",
    "0b11,3",
    "1_000,1000",
    "1_,1",
    "08,8",
    "0.,0",
    "1.0,1",
    ".5,0.5",
    "-.5,-0.5",
    "1e3,1000",
    "1E-3,0.001",
    "1.50,1.5",
    "-0.0,-0",
    "18446744073709551615,18446744073709551615",
    "18446744073709551616,18446744073709552000",
    "1e21,1e+21",
    "9223372036854775807,9223372036854775807",
    "-9223372036854775808,-9223372036854775808",
    "-9223372036854775809,-9223372036854776000",
    "0xFFFFFFFFFFFFFFFF,18446744073709551615",
    "0777777777777777777777777,7.777777777777778e+23",
    "!!float 1,1",
    "!!int '5',5",
    "123456789012345678,123456789012345678"
  })
  void numbers(String yaml, String expected) {
    assertThat(json("a: " + yaml)).isEqualTo("{\"a\":" + expected + "}");
  }

  @Test
  void keys_becomeStrings() {
    assertThat(json("1: a\n1.5: b\nyes: c\n0x10: d\n1e20: e\n'2': f\n? g\n? !!str 3\n: h"))
        .isEqualTo(
            "{\"1\":\"a\",\"1.5\":\"b\",\"true\":\"c\",\"16\":\"d\",\"1e+20\":\"e\",\"2\":\"f\","
                + "\"g\":null,\"3\":\"h\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"~: a", "? [a]\n: b", "? {a: b}\n: c"})
  void keys_thatAreNoScalars_areRefused(String yaml) {
    assertThatThrownBy(() -> json(yaml))
        .isInstanceOf(DecodeException.class)
        .hasMessageContaining("invalid map key");
  }

  @Test
  void tags_areFollowed() {
    assertThat(
            json("[!!str 1, !!bool yes, !foo 1, !!binary aGk=, !!timestamp 2001-01-01, !!set {b}]"))
        .isEqualTo("[\"1\",true,\"1\",\"hi\",\"2001-01-01\",{\"b\":null}]");
    assertThatThrownBy(() -> json("a: !!int x")).hasMessageContaining("cannot decode");
    assertThatThrownBy(() -> json("a: !!null x")).hasMessageContaining("cannot decode");
    assertThatThrownBy(() -> json("a: !!binary '*'")).hasMessageContaining("invalid base64");
  }

  @ParameterizedTest
  @ValueSource(strings = {".inf", "-.Inf", "+.INF", ".nan"})
  void numbers_thatJsonLacks_areRefused(String yaml) {
    assertThatThrownBy(() -> json("a: " + yaml)).hasMessageContaining("unsupported value");
  }

  @Test
  void strings_ofEveryStyle() {
    assertThat(
            json(
                "a: 'it''s'\n"
                    + "b: \"x\\/y\\x41\\u0041\\U0001F600\\n"
                    + "\"\n"
                    + "c: >\n"
                    + "  x\n"
                    + "  y\n\n"
                    + "  z\n"
                    + "d: |-\n"
                    + "  x\n"
                    + "   y\n"))
        .isEqualTo("{\"a\":\"it's\",\"b\":\"x/yAA😀\\n\",\"c\":\"x y\\nz\\n\",\"d\":\"x\\n y\"}");
    assertThat(json("a: b\r\nc: |\r\n  d\r\n  e\r\n"))
        .isEqualTo("{\"a\":\"b\",\"c\":\"d\\ne\\n\"}");
  }

  @Test
  void aliases_areReplaced() {
    assertThat(json("a: &x {b: [1]}\nc: *x\nd: [*x, &x 2, *x]"))
        .isEqualTo("{\"a\":{\"b\":[1]},\"c\":{\"b\":[1]},\"d\":[{\"b\":[1]},2,2]}");
    assertThat(json("&k a: 1\nb: *k\n*k : 2")).isEqualTo("{\"a\":2,\"b\":\"a\"}");
  }

  @Test
  void merges_putKeysWhereTheyStand() {
    assertThat(
            json(
                """
                x: &x {a: 1, b: 2}
                y: &y {a: 3, c: 4}
                both: {<<: [*x, *y], d: 5}
                before: {<<: *x, a: 9}
                behind: {a: 9, <<: *x}
                text: {"<<": 1}
                inline: {<<: {z: 1}}
                """))
        .endsWith(
            "\"both\":{\"a\":1,\"c\":4,\"b\":2,\"d\":5},\"before\":{\"a\":9,\"b\":2},"
                + "\"behind\":{\"a\":1,\"b\":2},\"text\":{\"\\u003c\\u003c\":1},\"inline\":{\"z\":1}}");
    assertThatThrownBy(() -> json("<<: 1")).hasMessageContaining("line 1: map merge requires map");
    assertThatThrownBy(() -> json("x: &x [1]\n<<: *x")).hasMessageContaining("map merge requires");
  }

  @Test
  void duplicates_areToldWithTheirLine() {
    String yaml = "spec:\n  replicas: 1\n  replicas: 2\n  foo: 1\nmetadata: {name: a, name: b}\n";

    Decoded decoded = typed(yaml, DEPLOYMENT);

    assertThat(decoded.problems())
        .containsExactly(
            "line 3: key \"replicas\" already set in map",
            "line 5: key \"name\" already set in map",
            "unknown field \"spec.foo\"");
    assertThat(decoded.root().at("spec", "replicas")).isEqualTo(new dev.keelson.object.Node.Int(2));
    assertThat(decoded.strictMessage())
        .isEqualTo(
            "strict decoding error: yaml: unmarshal errors:\n"
                + "  line 3: key \"replicas\" already set in map\n"
                + "  line 5: key \"name\" already set in map, unknown field \"spec.foo\"");
    assertThat(ObjectReader.yaml(utf8(yaml), DEPLOYMENT, FieldValidation.IGNORE).problems())
        .isEmpty();
  }

  @Test
  void unknownFields_areToldInTheOrderOfTheirNames() {
    Decoded decoded = typed("spec: {zeta: 1, alpha: {b: 1}, beta: 1}\nabove: 1\n", DEPLOYMENT);

    assertThat(decoded.problems())
        .containsExactly(
            "unknown field \"above\"",
            "unknown field \"spec.alpha\"",
            "unknown field \"spec.beta\"",
            "unknown field \"spec.zeta\"");
  }

  @Test
  void problems_areBounded() {
    StringBuilder yaml = new StringBuilder("data:\n");
    for (int i = 0; i < 500; i++) {
      yaml.append("  a: b\n");
    }

    assertThat(typed(yaml.toString(), CONFIG_MAP).problems()).hasSize(100);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "data: {a: yes} | bool into Go struct field ConfigMap.data of type string",
        "data: {a: 1} | number into Go struct field ConfigMap.data of type string",
        "data: {a: 1.5} | number into Go struct field ConfigMap.data of type string",
        "data: {a: [b]} | array into Go struct field ConfigMap.data of type string",
        "metadata: {name: 010} | number into Go struct field ObjectMeta.metadata.name of type"
            + " string",
        "immutable: 'yes' | string into Go struct field ConfigMap.immutable of type bool",
        "~ | null into Go value of type v1.ConfigMap",
        "[a] | array into Go value of type v1.ConfigMap",
        "a | string into Go value of type v1.ConfigMap"
      })
  void types_areNotGuessed(String yaml, String message) {
    assertThatThrownBy(() -> typed(yaml, CONFIG_MAP))
        .isInstanceOfSatisfying(
            DecodeException.class,
            e -> assertThat(e.fault()).isEqualTo(DecodeException.Fault.SHAPE))
        .hasMessage("json: cannot unmarshal " + message);
  }

  @Test
  void types_areTakenFromYaml() {
    MapNode root =
        typed(
                "immutable: on\ndata: {a: 'yes', b: 2001-01-01, 3: c}\nbinaryData: {d: aGk=}",
                CONFIG_MAP)
            .root();
    MapNode spec =
        typed("spec: {replicas: 1e1, minReadySeconds: 0x10}", DEPLOYMENT).root().map("spec");

    assertThat(new String(ObjectWriter.json(root), StandardCharsets.UTF_8))
        .contains("\"immutable\":true,\"data\":{\"3\":\"c\",\"a\":\"yes\",\"b\":\"2001-01-01\"}");
    assertThat(new String(ObjectWriter.json(spec), StandardCharsets.UTF_8))
        .contains("\"replicas\":10")
        .contains("\"minReadySeconds\":16");
  }

  @Test
  void json_isYamlToo() {
    String body = "{\n\t\"data\": {\"a\": \"\\ud83d\\ude00\", \"b\":\"x\"}}";

    assertThat(typed(body, CONFIG_MAP).root().map("data").texts())
        .containsEntry("a", "😀")
        .containsEntry("b", "x");
    assertThat(json("{\"a\": [1.50, true, null, \"x: y\"]}"))
        .isEqualTo("{\"a\":[1.5,true,null,\"x: y\"]}");
    assertThatThrownBy(() -> typed("{\"data\": {\"a\": \"x\" \"y\"}}", CONFIG_MAP))
        .isInstanceOf(DecodeException.class)
        .hasMessageStartingWith("error converting YAML to JSON: yaml: line 1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16BE", "UTF-16LE"})
  void byteOrderMarks_areRead(String charset) {
    assertThat(json("\uFEFFa: é😀".getBytes(Charset.forName(charset))))
        .isEqualTo("{\"a\":\"é😀\"}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--- {a: 1}", "---\na: 1\n---\n", "a: 1\n...\n", "a: 1\n---\n# c\n---\n"})
  void oneDocument_mayBeMarked(String yaml) {
    assertThat(json(yaml)).isEqualTo("{\"a\":1}");
  }

  @Test
  void untyped_keepsTheOrderAndTheLastOfDuplicates() {
    assertThat(json("b: 1\na: 2\nb: 3")).isEqualTo("{\"b\":3,\"a\":2}");
  }
}
