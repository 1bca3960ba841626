package dev.keelson.schema.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.Decoded;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.codec.tree.TreeBudget;
import dev.keelson.schema.codec.yaml.YamlDocument;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class HostileJsonTest {

  private static final StructSchema REVISION =
      ProtoSchemas.fromClassPath().struct("io.k8s.api.apps.v1.ControllerRevision");
  private static final StructSchema CONFIG_MAP =
      ProtoSchemas.fromClassPath().struct("io.k8s.api.core.v1.ConfigMap");

  private static void assertFault(byte[] json, Fault fault) {
    for (StructSchema schema : List.of(REVISION, CONFIG_MAP)) {
      assertThatThrownBy(() -> ObjectReader.json(json, schema, FieldValidation.STRICT))
          .isInstanceOfSatisfying(
              DecodeException.class, e -> assertThat(e.fault()).as(e.text()).isEqualTo(fault));
    }
    assertThatThrownBy(() -> ObjectReader.untypedJson(json))
        .isInstanceOfSatisfying(
            DecodeException.class, e -> assertThat(e.fault()).as(e.text()).isEqualTo(fault));
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " \n\t",
        "{",
        "}",
        "{\"data\"",
        "{\"data\":",
        "{\"data\":{\"a\":\"",
        "{\"data\":{\"a\":\"\\u12",
        "{'kind':'a'}",
        "{kind:\"a\"}",
        "{\"kind\":\"a\",}",
        "{\"kind\":\"a\"} x",
        "{\"kind\":\"a\"}{}",
        "{\"data\":NaN}",
        "{\"data\":Infinity}",
        "{\"data\":-}",
        "{\"data\":01}",
        "{\"data\":1.}",
        "{\"data\":+1}",
        "{\"data\":.5}",
        "{\"data\":0x10}",
        "{\"data\":tru}",
        "{\"data\":{\"a\":\"\\x\"}}",
        "{\"data\":{\"a\":\"\n\"}}",
        "{} // comment",
        "/* comment */ {}",
        "[1,]",
        "\uFEFF{}",
        "{\"a\":\"b\" \"c\":\"d\"}",
        "kind: ConfigMap"
      })
  void malformed_isASyntaxFault(String json) {
    assertFault(utf8(json), Fault.SYNTAX);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "barbaz               | invalid character 'b' looking for beginning of value",
        "{\"data\":{\"a\":tru}} | invalid character '}' in literal true (expecting 'e')",
        "{\"data\" {}}         | invalid character '{' after object key",
        "{\"data\":\"\\x\"}      | invalid character 'x' in string escape code",
        "{\"kind\":\"a\"} x     | invalid character 'x' after top-level value",
        "\uFEFF{}             | invalid character 'ï' looking for beginning of value",
        "{\"data\":            | unexpected end of JSON input",
      })
  void malformed_isToldInTheWordsOfGo(String json, String problem) {
    assertThatThrownBy(() -> ObjectReader.untypedJson(utf8(json))).hasMessage(problem);
    assertThatThrownBy(() -> ObjectReader.json(utf8(json), REVISION, FieldValidation.STRICT))
        .hasMessage(problem);
  }

  @Test
  void otherEncodings_areRefused() {
    assertFault("{}".getBytes(StandardCharsets.UTF_16), Fault.SYNTAX);
    assertFault("{}".getBytes(StandardCharsets.UTF_16LE), Fault.SYNTAX);
    assertFault("{}".getBytes(StandardCharsets.UTF_16BE), Fault.SYNTAX);
    assertFault(new byte[] {0, 0, 0, '{', 0, 0, 0, '}'}, Fault.SYNTAX);
    assertFault(new byte[] {'k', '8', 's', 0, 10}, Fault.SYNTAX);
  }

  @Test
  void depth_isBounded() {
    assertFault(utf8("{\"data\":" + "[".repeat(100_000)), Fault.LIMIT);
    assertFault(utf8("{\"data\":" + "{\"a\":".repeat(100_000)), Fault.LIMIT);
    assertFault(utf8("{\"unknown\":" + "[".repeat(512) + "]".repeat(512) + "}"), Fault.LIMIT);
  }

  @Test
  void depth_upToTheBoundIsRead() {
    String nested = "[".repeat(511) + "]".repeat(511);

    Decoded decoded =
        ObjectReader.json(utf8("{\"data\":" + nested + "}"), REVISION, FieldValidation.STRICT);

    assertThat(new String(ObjectWriter.json(decoded.root()), StandardCharsets.UTF_8))
        .contains(nested);
  }

  @Test
  void deepTree_isRefusedToo() {
    Node node = Items.EMPTY;
    for (int i = 0; i < 5_000; i++) {
      node = new Items(List.of(node));
    }
    MapNode tree = MapNode.of("data", node);

    assertThatThrownBy(() -> ObjectReader.tree(tree, REVISION, FieldValidation.STRICT))
        .isInstanceOfSatisfying(
            DecodeException.class, e -> assertThat(e.fault()).isEqualTo(Fault.LIMIT));
  }

  @Test
  void numbers_areBoundedInLength() {
    assertFault(utf8("{\"data\":" + "9".repeat(100_000) + "}"), Fault.LIMIT);
    assertFault(utf8("{\"data\":1e" + "9".repeat(100_000) + "}"), Fault.LIMIT);
  }

  @Test
  void longNumbers_areKeptAsWritten() {
    String number = "1".repeat(900);

    assertThat(ObjectReader.untypedJson(utf8(number))).isEqualTo(new Node.Decimal(number));
  }

  @Test
  void invalidUtf8_readsAsReplacementCharacters() {
    byte[] json = utf8("{\"data\":{\"a\":\"..........\"}}");
    int at = 14;
    // an overlong slash, half a surrogate, a lone trail, a cut sequence
    byte[] wrong = {(byte) 0xC0, (byte) 0xAF, (byte) 0xED, (byte) 0xA0, (byte) 0x80, (byte) 0x80};
    System.arraycopy(wrong, 0, json, at, wrong.length);
    json[at + 9] = (byte) 0xF0;

    Decoded decoded = ObjectReader.json(json, CONFIG_MAP, FieldValidation.STRICT);

    assertThat(decoded.root().map("data").text("a"))
        .isEqualTo("\uFFFD".repeat(6) + "..." + "\uFFFD");
  }

  @Test
  void loneSurrogates_areWrittenAsReplacementCharacters() {
    Decoded decoded =
        ObjectReader.json(
            utf8("{\"data\":{\"a\":\"x\\ud83dy\\udc00\"}}"), CONFIG_MAP, FieldValidation.STRICT);

    assertThat(new String(ObjectWriter.json(decoded.root()), StandardCharsets.UTF_8))
        .contains("\"x\uFFFDy\uFFFD\"");
  }

  @Test
  void namesWithOneHash_doNotBreakTheReader() {
    StringBuilder json = new StringBuilder("{\"data\":{");
    for (int i = 0; i < 20_000; i++) {
      json.append(i == 0 ? "" : ",").append("\"k");
      for (int bit = 0; bit < 15; bit++) {
        // "Aa" and "BB" have the same String.hashCode
        json.append((i >> bit & 1) == 0 ? "Aa" : "BB");
      }
      json.append("\":\"\"");
    }

    Decoded decoded =
        ObjectReader.json(utf8(json.append("}}").toString()), CONFIG_MAP, FieldValidation.STRICT);

    assertThat(decoded.root().map("data").size()).isEqualTo(20_000);
  }

  /** Each problem names the way to it, which one long key makes long. */
  @Test
  void problems_underALongKey_areBoundedInSum() {
    String key = "k".repeat(100_000);
    String twice = "\"a\":1,".repeat(200) + "\"b\":2";
    byte[] json = utf8("{\"" + key + "\":{" + twice + "}}");
    byte[] yaml = utf8("data:\n" + ("  ? " + key + "\n  : 1\n").repeat(3));

    List<String> untyped =
        ObjectReader.untypedJson(json, FieldValidation.STRICT, TreeBudget.unbounded()).problems();
    List<String> inYaml = YamlDocument.read(yaml).problems().stream().toList();
    List<String> typed =
        ObjectReader.json(
                utf8("{\"data\":{" + ("\"" + key + "\":\"\",").repeat(20) + "\"x\":\"\"}}"),
                CONFIG_MAP,
                FieldValidation.STRICT)
            .problems();

    assertThat(untyped).hasSize(1).first().asString().endsWith(key + ".a\"");
    assertThat(inYaml).hasSize(1);
    assertThat(typed).hasSize(1);
  }

  /** Validation rounds quantities and quota adds them, which writes all their digits out. */
  @ParameterizedTest
  @ValueSource(strings = {"1e999999999", "1E-999999999", "1e1001", "-1.5e+2000", "9", "0.9", "9Gi"})
  void quantities_beyondABound_areRefused(String quantity) {
    StructSchema pod = ProtoSchemas.fromClassPath().struct("io.k8s.api.core.v1.Pod");
    String text = quantity.replace("9", quantity.contains("e") ? "9" : "9".repeat(1_000_000));
    byte[] json =
        utf8(
            "{\"spec\":{\"containers\":[{\"name\":\"c\",\"resources\":{\"limits\":{\"x.y/z\":\""
                + (quantity.contains("E") ? quantity : text)
                + "\"}}}]}}");

    assertThatThrownBy(() -> ObjectReader.json(json, pod, FieldValidation.STRICT))
        .isInstanceOfSatisfying(
            DecodeException.class, e -> assertThat(e.fault()).isEqualTo(Fault.SHAPE))
        .hasMessageContaining("at most 1000");
  }
}
