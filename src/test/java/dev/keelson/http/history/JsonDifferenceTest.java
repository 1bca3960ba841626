package dev.keelson.http.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.patch.JsonPatch;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonDifferenceTest {

  private static MapNode tree(String json) {
    byte[] text = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    return (MapNode) ObjectReader.untypedJson(text);
  }

  private static String json(Node node) {
    return new String(ObjectWriter.json(node), StandardCharsets.UTF_8).replace('"', '\'');
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "{}; {}; []",
        "{'a':1}; {}; [{'op':'remove','path':'/a'}]",
        "{}; {'a~/b':1}; [{'op':'add','path':'/a~0~1b','value':1}]",
        "{'a':{'b':1}}; {'a':{'b':2}}; [{'op':'replace','path':'/a/b','value':2}]",
        "{'a':[1,2,3]}; {'a':[1,3]}; [{'op':'remove','path':'/a/1'}]",
        "{'a':[1,3]}; {'a':[1,2,3]}; [{'op':'add','path':'/a/1','value':2}]",
        "{'a':[1]}; {'a':{}}; [{'op':'replace','path':'/a','value':{}}]"
      })
  void patch_hasTheSmallestOperations(String from, String to, String patch) {
    assertThat(json(JsonDifference.patch(tree(from), tree(to)))).isEqualTo(patch);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "{'a':1,'b':2}; {'b':2}; {'a':null}",
        "{'a':{'b':1,'c':1}}; {'a':{'b':1,'c':2}}; {'a':{'c':2}}",
        "{'a':[1]}; {'a':[1,2]}; {'a':[1,2]}",
        "{}; {'a':1}; {'a':1}"
      })
  void mergePatch_hasWhatDiffers(String from, String to, String patch) {
    assertThat(json(JsonDifference.mergePatch(tree(from), tree(to)))).isEqualTo(patch);
  }

  @Test
  void patch_appliedToAnyTree_makesTheOther() {
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      MapNode from = tree("{'r':" + value(random, 3) + "}");
      MapNode to = tree("{'r':" + value(random, 3) + "}");

      assertThat(JsonPatch.of(JsonDifference.patch(from, to)).apply(from)).isEqualTo(to);
    }
  }

  private static String value(Random random, int depth) {
    int size = random.nextInt(4);
    StringBuilder text = new StringBuilder();
    switch (depth == 0 ? 0 : random.nextInt(3)) {
      case 0 -> text.append(random.nextInt(3));
      case 1 -> {
        for (int i = 0; i < size; i++) {
          text.append(i == 0 ? "" : ",").append(value(random, depth - 1));
        }
        text.insert(0, '[').append(']');
      }
      default -> {
        for (int i = 0; i < size; i++) {
          text.append(i == 0 ? "" : ",").append("'k").append(i).append("':");
          text.append(value(random, depth - 1));
        }
        text.insert(0, '{').append('}');
      }
    }
    return text.toString();
  }
}
