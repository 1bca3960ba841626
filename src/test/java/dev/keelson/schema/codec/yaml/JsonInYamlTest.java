package dev.keelson.schema.codec.yaml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node;
import dev.keelson.schema.codec.tree.TreeBudget;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonInYamlTest {

  private static byte[] bytes(String json) {
    return json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{'a':{'b':[1,-2,0,'x',true,false,null,{}]}}",
        " {'text':'yes','number':'010','time':'2020-01-01','empty':'','~':'~'}",
        "{\n  'é':'\\u00e9 \\n \\t \\/ \\\\ \\''\n}\n"
      })
  void read_isWhatYamlIs(String json) {
    Node read = Objects.requireNonNull(JsonInYaml.read(bytes(json), TreeBudget.unbounded()));

    assertThat(read).isEqualTo(YamlDocument.read(bytes(json)).root());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'a':1.0}",
        "{'a':[1e3]}",
        "{'a':123456789012345678901}",
        "{'a':1,'a':2}",
        "{'<<':{'a':1}}",
        "{a: 1}",
        "{'a':1}\n---\n{'b':1}",
        "{'a':1"
      })
  void read_ofAnythingElse_isLeftToYaml(String document) {
    assertThat(JsonInYaml.read(bytes(document), TreeBudget.unbounded())).isNull();
  }
}
