package dev.keelson.schema.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ObjectWriterTest {

  private static String json(Node node) {
    return new String(ObjectWriter.json(node), StandardCharsets.UTF_8);
  }

  @Test
  void strings_areEscapedAsGoDoes() {
    assertThat(json(Node.text("<a & b> \u2028\u2029 é 😀 \" \\ / \u007F")))
        .isEqualTo("\"\\u003ca \\u0026 b\\u003e \\u2028\\u2029 é 😀 \\\" \\\\ / \u007F\"");
    assertThat(json(Node.text("\n\r\t\b\f\u0000\u001f")))
        .isEqualTo("\"\\n\\r\\t\\b\\f\\u0000\\u001f\"");
  }

  @Test
  void strings_ofAnyCharacter_readBack() {
    StringBuilder all = new StringBuilder();
    for (int point = 0; point < 0x11000; point++) {
      if (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE) {
        all.appendCodePoint(point);
      }
    }

    Node node = Node.text(all.toString());

    assertThat(ObjectReader.untypedJson(ObjectWriter.json(node))).isEqualTo(node);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {}            | {}
          []            | []
          {"a":{}}      | {~  "a": {}~}
          [1,[],[2]]    | [~  1,~  [],~  [~    2~  ]~]
          {"a":"{,:[\\"]","b":null} | {~  "a": "{,:[\\"]",~  "b": null~}
          """)
  void pretty_indentsByTwo(String compact, String pretty) {
    byte[] out = ObjectWriter.pretty(compact.getBytes(StandardCharsets.UTF_8));

    assertThat(new String(out, StandardCharsets.UTF_8)).isEqualTo(pretty.replace('~', '\n'));
  }

  @Test
  void untyped_keepsOrderAndNumbers() {
    String json = "{\"b\":1.0,\"a\":[1e5,-0,18446744073709551616,-9223372036854775808,true,null]}";

    assertThat(json(ObjectReader.untypedJson(json.getBytes(StandardCharsets.UTF_8))))
        .isEqualTo(json);
  }
}
