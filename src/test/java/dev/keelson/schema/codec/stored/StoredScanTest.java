package dev.keelson.schema.codec.stored;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoredScanTest {

  private static final StructSchema ANYTHING = new StructSchema("x.Any", false, true, List::of);

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          {"a":"x"};                                a;     x
          {"b":{"a":"no"},"a":"x"};                 a;     x
          {"a":{"b":{"c":"deep"}}};                 a.b.c; deep
          {"a":{"b":"}"},"c":"x"};                  c;     x
          {"a":"\\"{","c":"x"};                     c;     x
          {"a":"\\\\","c":"x"};                     c;     x
          {"a":["x",{"c":1}],"c":"y"};              c;     y
          {"a":true};                               a;     true
          {"a":-1.5e3,"b":1};                       a;     -1.5e3
          {"b":7};                                  b;     7
          {"a":"tab\\tand \\u00fc"};                a;     `tab\tand ü`
          {"a":"ü"};                                a;     ü
          {"a":""};                                 a;     ``
          """)
  void field_thatIsAScalar_isFound(String json, String path, String expected) {
    assertThat(StoredScan.field(utf8(json), StoredPath.of(ANYTHING, path)))
        .isEqualTo(new ScanResult.Value(expected.replace("\\t", "\t")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          {};                   a
          {"b":"a"};            a
          {"a":null};           a
          {"a":{"b":1}};        a
          {"a":["x"]};          a
          {"a":"x"};            a.b
          {"a":{"c":{"b":1}}};  a.b
          {"aa":1,"ab":2};      a
          """)
  void field_thatIsNotThere_isAbsent(String json, String path) {
    assertThat(StoredScan.field(utf8(json), StoredPath.of(ANYTHING, path)))
        .isInstanceOf(ScanResult.Absent.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "k8s\0",
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":\"x",
        "{ \"a\":\"x\"}",
        "{\"b\":{\"c\":[1,2}"
      })
  void field_ofBytesThatAreNoCompactObject_hasToBeDecoded(String json) {
    assertThat(StoredScan.field(utf8(json), StoredPath.of(ANYTHING, "a")))
        .isInstanceOf(ScanResult.Unreadable.class);
  }

  @Test
  void labels_areFound() {
    assertThat(
            StoredScan.labels(
                utf8(
                    "{\"kind\":\"Pod\",\"metadata\":{\"name\":\"labels\",\"annotations\":{\"labels\":\"no\"},"
                        + "\"labels\":{\"a\":\"1\",\"b/c\":\"\"}},\"spec\":{}}")))
        .isEqualTo(Map.of("a", "1", "b/c", ""));
    assertThat(StoredScan.labels(utf8("{\"metadata\":{\"name\":\"x\"}}"))).isEmpty();
    assertThat(StoredScan.labels(utf8("{\"metadata\":{\"labels\":{}}}"))).isEmpty();
    assertThat(StoredScan.labels(utf8("{\"metadata\":{\"labels\":null}}"))).isEmpty();
    assertThat(StoredScan.labels(utf8("{\"metadata\":{\"labels\":{\"a\":1}}}"))).isNull();
  }

  @Test
  void labels_ofRandomObjects_areThoseThatTheDecoderFinds() {
    Random random = new Random(3);
    for (int i = 0; i < 2000; i++) {
      Map<String, String> labels = new HashMap<>();
      MapNode node = MapNode.EMPTY;
      for (int k = random.nextInt(5); k > 0; k--) {
        String key = text(random);
        String value = text(random);
        labels.put(key, value);
        node = node.with(key, Node.text(value));
      }
      MapNode metadata = MapNode.EMPTY.with("name", Node.text(text(random))).with("labels", node);
      byte[] json =
          ObjectWriter.json(
              MapNode.EMPTY.with("kind", Node.text(text(random))).with("metadata", metadata));
      assertThat(StoredScan.labels(json)).isEqualTo(labels);
      // cut anywhere, it never says something else
      byte[] cut = Arrays.copyOf(json, random.nextInt(json.length));
      Map<String, String> found = StoredScan.labels(cut);
      assertThat(found == null || found.equals(labels)).isTrue();
    }
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder();
    String letters = "ab\"\\{}[],:\n\tü€😀 </>&";
    for (int i = random.nextInt(6); i > 0; i--) {
      text.appendCodePoint(letters.codePointAt(letters.offsetByCodePoints(0, random.nextInt(20))));
    }
    return text.toString();
  }
}
