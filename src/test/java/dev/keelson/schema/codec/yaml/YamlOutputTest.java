package dev.keelson.schema.codec.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What was expected here was compared with what kubectl 1.32 prints for the same objects. */
@Timeout(120)
class YamlOutputTest {

  private static String yaml(Node node) {
    return new String(ObjectWriter.yaml(node), StandardCharsets.UTF_8);
  }

  private static String yaml(String json) {
    return yaml(ObjectReader.untypedJson(json.getBytes(StandardCharsets.UTF_8)));
  }

  private static String ofText(String text) {
    return yaml(MapNode.of("k", Node.text(text)));
  }

  @Test
  void objectsAndLists_areIndentedAsKubectlDoes() {
    assertThat(
            yaml(
                """
                {"spec":{"tolerations":[],"containers":[{"name":"a","args":["x","y"],"env":[
                {"name":"A","value":"1"}]},{"name":"b"}],"x":[[1,[2,3]],[],{}]},"kind":"Pod",
                "status":{},"n":null,"t":true,"metadata":{"name":"p"}}\
                """))
        .isEqualTo(
            """
            kind: Pod
            metadata:
              name: p
            "n": null
            spec:
              containers:
              - args:
                - x
                - "y"
                env:
                - name: A
                  value: "1"
                name: a
              - name: b
              tolerations: []
              x:
              - - 1
                - - 2
                  - 3
              - []
              - {}
            status: {}
            t: true
            """);
  }

  @ParameterizedTest
  @CsvSource({"{},{}", "[],[]", "null,null", "5,5", "'\"a\"',a", "'[1]',- 1"})
  void root_mayBeAnything(String json, String expected) {
    assertThat(yaml(json)).isEqualTo(expected + "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "a b",
        "a:b",
        "a#b",
        "http://x:80/y?z#w",
        "-a",
        "--",
        "-",
        ".",
        "..",
        "?a",
        ":a",
        "=",
        "1.2.3",
        "v1",
        "0x",
        "0b2",
        "1e",
        "1e400",
        "2001-13-01",
        "1:60",
        "yEs",
        "none",
        "+",
        "a'b",
        "a\"b",
        "a\\b",
        "a,b",
        "a [b]",
        "é",
        "a\u00a0b",
        "1.5Gi",
        "10m",
        "100%",
        "_1"
      })
  void strings_thatReadAsStrings_arePlain(String text) {
    boolean quoted = text.equals("-") || text.equals("?");

    assertThat(ofText(text)).isEqualTo(quoted ? "k: '" + text + "'\n" : "k: " + text + "\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "y",
        "N",
        "yes",
        "No",
        "ON",
        "off",
        "true",
        "False",
        "null",
        "~",
        "1",
        "-1",
        "+1",
        "010",
        "08",
        "0o7",
        "0x1F",
        "0b1",
        "1_000",
        "1_",
        "1.",
        ".5",
        "1e3",
        "1E-3",
        ".inf",
        "-.Inf",
        ".NaN",
        "2001-01-01",
        "2001-1-1",
        "2001-01-01T10:00:00Z",
        "2001-01-01 10:00:00.5",
        "2001-12-14t21:59:43.10-05:00",
        "1:20",
        "190:20:30.5",
        "<<",
        "12345678901234567890"
      })
  void strings_thatReadAsSomethingElse_areInDoubleQuotes(String text) {
    assertThat(ofText(text)).isEqualTo("k: \"" + text + "\"\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " a", "a ", "#a", "a #b", "a: b", "a:", "*a", "&a", "!a", "|", ">a", "%a", "@a", "`a", "'a",
        "\"a", "[a", "]", "{a", "}", ",a", "- a", "? a", ": a", "---", "--- a", "...", ":"
      })
  void strings_thatYamlWouldParse_areInSingleQuotes(String text) {
    assertThat(ofText(text)).isEqualTo("k: '" + text.replace("'", "''") + "'\n");
  }

  @Test
  void strings_withUnprintableCharacters_areEscaped() {
    assertThat(ofText("a\tb\u0000\u001b\u007f\u0085\u2028\ufeff\r\"\\ é😀"))
        .isEqualTo("k: \"a\\tb\\0\\e\\x7F\\N\\u2028\\uFEFF\\r\\\"\\\\ é\\U0001F600\"\n");
    assertThat(ofText("a\ud83d")).isEqualTo("k: \"a\\uFFFD\"\n");
  }

  @Test
  void strings_ofSeveralLines_areBlocks() {
    assertThat(ofText("a\nb")).isEqualTo("k: |-\n  a\n  b\n");
    assertThat(ofText("a\n\n b: #c\n")).isEqualTo("k: |\n  a\n\n   b: #c\n");
    assertThat(ofText("a\n\n")).isEqualTo("k: |+\n  a\n\n");
    assertThat(ofText(" a\nb")).isEqualTo("k: |2-\n   a\n  b\n");
    assertThat(ofText("\na\n")).isEqualTo("k: |2\n\n  a\n");
    assertThat(yaml("{\"a\":[\"x\\ny\\n\",{\"b\":\"x\\ny\"}],\"c\":1}"))
        .isEqualTo("a:\n- |\n  x\n  y\n- b: |-\n    x\n    y\nc: 1\n");
  }

  @Test
  void strings_ofSeveralLinesThatBlocksCannotHold_areInDoubleQuotes() {
    assertThat(ofText("a \nb")).isEqualTo("k: \"a \\nb\"\n");
    assertThat(ofText("a\nb ")).isEqualTo("k: \"a\\nb \"\n");
    assertThat(ofText("a\tb\nc")).isEqualTo("k: \"a\\tb\\nc\"\n");
    assertThat(ofText("\n")).isEqualTo("k: \"\\n\"\n");
  }

  @Test
  void longStrings_foldAtTheFirstSpaceBehindColumn80() {
    String words = "word ".repeat(20).trim();
    String head = "word ".repeat(16).trim();

    assertThat(ofText(words)).isEqualTo("k: " + head + "\n  word word word word\n");
    assertThat(ofText("'" + words))
        .isEqualTo("k: '''" + "word ".repeat(16).trim() + "\n  word word word word'\n");
    assertThat(ofText("\t" + words)).isEqualTo("k: \"\\t" + head + "\n  word word word word\"\n");
    assertThat(ofText("x".repeat(100) + "  y z")).isEqualTo("k: " + "x".repeat(100) + "  y\n  z\n");
    assertThat(ofText("\t" + "x".repeat(90) + "  y"))
        .isEqualTo("k: \"\\t" + "x".repeat(90) + "\n  \\ y\"\n");
  }

  @Test
  void keys_thatDoNotFitOnOneLine_areMarked() {
    String fits = "k".repeat(128);
    String longer = "é".repeat(65);

    assertThat(yaml(MapNode.of(fits, Node.text("v")))).isEqualTo(fits + ": v\n");
    assertThat(yaml(MapNode.of(longer, Node.text("v")))).isEqualTo("? " + longer + "\n: v\n");
    assertThat(yaml("{\"a\\nb\":{\"c\":[1]},\"l\":1}"))
        .isEqualTo("? |-\n  a\n  b\n: c:\n  - 1\nl: 1\n");
    assertThat(yaml("{\"a\\nb\":[1]}")).isEqualTo("? |-\n  a\n  b\n: - 1\n");
    assertThat(yaml("{\"yes\":1,\"\":2,\"a: b\":3}")).isEqualTo("\"\": 2\n'a: b': 3\n\"yes\": 1\n");
  }

  @ParameterizedTest
  @CsvSource({
    "1.50,1.5",
    "1.0,1",
    "1e6,1e+06",
    "100000.5,100000.5",
    "1234567.5,1.2345675e+06",
    "0.0001,0.0001",
    "0.00001,1e-05",
    "1e21,1e+21",
    "-0,0",
    "-2.5e-7,-2.5e-07",
    "1e400,1e400",
    "18446744073709551615,18446744073709551615",
    "18446744073709551616,1.8446744073709552e+19",
    "-9223372036854775808,-9223372036854775808",
    "1e300,1e+300"
  })
  void numbers_areWrittenAsGoDoes(String json, String expected) {
    assertThat(yaml("{\"k\":" + json + "}")).isEqualTo("k: " + expected + "\n");
  }

  @Test
  void keys_areInTheOrderOfGoYaml() {
    List<String> expected =
        List.of(
            "", "-", "1", "2", "10", "10a", "A", "Z", "a", "a-b", "a.b", "a1", "a2", "a10", "a10b",
            "aB", "ab", "b", "é");
    List<String> keys = new ArrayList<>(expected);
    Collections.shuffle(keys, new Random(1));
    MapNode.Builder map = MapNode.builder(keys.size());
    keys.forEach(key -> map.put(key, new Node.Int(1)));

    MapNode read = (MapNode) ObjectReader.untypedYaml(ObjectWriter.yaml(map.build()));

    assertThat(read.keys()).isEqualTo(expected);
  }

  @Test
  void keys_withoutATransitiveOrder_areAllWritten() {
    Random random = new Random(2);
    TreeSet<String> keys = new TreeSet<>();
    while (keys.size() < 500) {
      StringBuilder key = new StringBuilder();
      random.ints(1 + random.nextInt(4), 0, 6).forEach(i -> key.append("01b-8x".charAt(i)));
      keys.add(key.toString());
    }
    MapNode.Builder map = MapNode.builder(keys.size());
    keys.forEach(key -> map.put(key, new Node.Int(1)));

    MapNode read = (MapNode) ObjectReader.untypedYaml(ObjectWriter.yaml(map.build()));

    assertThat(read).isEqualTo(map.build());
  }

  /** Whatever the string, readers get it back: as a value, as a key, in a list. */
  @Test
  void strings_ofEverySort_readBack() {
    Random random = new Random(3);
    String[] pieces = {
      "a", "1", " ", "  ", "\n", "\n\n", ":", "#", "-", "?", "'", "\"", "\\", "{", "]", "&", "*",
          "!",
      "|", ">", "%", "@", "`", ",", ".", "~", "<", "=", "_", "y", "0x", "\t", "\r", "é", "😀",
          "\u2028",
      "\u0085", "\ufeff", "long word ".repeat(12), "null", "2001-01-01", "\u0007", "\u200b"
    };
    for (int round = 0; round < 3000; round++) {
      StringBuilder text = new StringBuilder();
      random.ints(1 + random.nextInt(6), 0, pieces.length).forEach(i -> text.append(pieces[i]));
      Node value = Node.text(text.toString());
      Node node =
          MapNode.of("k", new Node.Items(List.of(value, MapNode.of(text.toString(), value))));

      byte[] yaml = ObjectWriter.yaml(node);

      assertThat(ObjectReader.untypedYaml(yaml))
          .as(new String(yaml, StandardCharsets.UTF_8))
          .isEqualTo(node);
    }
  }
}
