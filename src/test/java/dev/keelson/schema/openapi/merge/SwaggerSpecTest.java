package dev.keelson.schema.openapi.merge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The cases of kube-openapi's own tests of its aggregator, and hostile documents. */
@Timeout(60)
class SwaggerSpecTest {

  private static boolean nothing(String name) {
    return false;
  }

  private static SwaggerSpec spec(String json) {
    return SwaggerSpec.of(
        (MapNode)
            ObjectReader.untypedJson(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
  }

  private static String json(MapNode tree) {
    return new String(ObjectWriter.json(tree), StandardCharsets.UTF_8).replace('"', '\'');
  }

  /** A path whose answer is a definition. */
  private static String path(String path, String definition) {
    return "'%s':{'get':{'responses':{'200':{'schema':{'$ref':'#/definitions/%s'}}}}}"
        .formatted(path, definition);
  }

  @Test
  void only_keepsWhatItsPathsReferTo_directlyOrNot() {
    SwaggerSpec all =
        spec(
            "{'paths':{"
                + path("/apis/g/v1/", "A")
                + ","
                + path("/apis/g/v2/", "B")
                + "},'definitions':{"
                + "'A':{'properties':{'c':{'items':{'$ref':'#/definitions/C'}}}},"
                + "'B':{'properties':{'d':{'$ref':'#/definitions/D'},"
                + "'c':{'$ref':'#/definitions/C'}}},"
                + "'C':{'type':'string'},'D':{'type':'string'},'Unused':{'type':'string'}}}");

    SwaggerSpec first = all.only(path -> path.startsWith("/apis/g/v1/"));

    assertThat(first.paths().keys()).containsExactly("/apis/g/v1/");
    // what no path used before is not unused because of the cut
    assertThat(first.definitions().keys()).containsExactly("A", "C", "Unused");
  }

  @Test
  void only_keepsParametersThatAreReferredTo() {
    SwaggerSpec all =
        spec(
            """
            {'paths':{
              '/a/':{'get':{'parameters':[{'$ref':'#/parameters/x'}]}},
              '/b/':{'parameters':[{'$ref':'#/parameters/y'}]}},
             'parameters':{'x':{'name':'x'},'y':{'name':'y'}}}
            """);

    assertThat(all.only(path -> path.startsWith("/a/")).parameters().keys()).containsExactly("x");
  }

  @Test
  void references_inACircle_end() {
    SwaggerSpec all =
        spec(
            "{'paths':{"
                + path("/a", "A")
                + "},'definitions':{'A':{'properties':{'b':{'$ref':'#/definitions/B'}}},"
                + "'B':{'not':{'$ref':'#/definitions/A'}}}}");

    assertThat(all.only(path -> true)).isEqualTo(all);
    assertThat(all.only(path -> false).definitions().keys()).isEmpty();
  }

  @Test
  void with_withoutConflict_addsEverything() {
    SwaggerSpec merged =
        spec("{'paths':{" + path("/a", "A") + "},'definitions':{'A':{'type':'string'}}}")
            .with(
                spec("{'paths':{" + path("/b", "B") + "},'definitions':{'B':{'type':'integer'}}}"),
                SwaggerSpecTest::nothing);

    assertThat(merged.paths().keys()).containsExactly("/a", "/b");
    assertThat(merged.definitions().keys()).containsExactly("A", "B");
  }

  @Test
  void with_equalDefinitions_haveOneOfThem() {
    String definition = "'A':{'type':'object','description':'x'}";
    SwaggerSpec merged =
        spec("{'paths':{" + path("/a", "A") + "},'definitions':{" + definition + "}}")
            .with(
                spec("{'paths':{" + path("/b", "A") + "},'definitions':{" + definition + "}}"),
                SwaggerSpecTest::nothing);

    assertThat(json(merged.definitions())).isEqualTo("{" + definition + "}");
  }

  @Test
  void with_anotherDefinitionOfTheName_givesItANumber_andItsReferences() {
    SwaggerSpec merged =
        spec("{'paths':{" + path("/a", "A") + "},'definitions':{'A':{'type':'string'}}}")
            .with(
                spec(
                    "{'paths':{"
                        + path("/b", "A")
                        + "},'definitions':{'A':{'properties':{'self':{'$ref':'#/definitions/A'}}},"
                        + "'A_v2':{'type':'string'}}}"),
                SwaggerSpecTest::nothing);

    assertThat(json(merged.definitions()))
        .isEqualTo(
            "{'A':{'type':'string'},"
                + "'A_v3':{'properties':{'self':{'$ref':'#/definitions/A_v3'}}},"
                + "'A_v2':{'type':'string'}}");
    assertThat(json(merged.paths()))
        .isEqualTo("{" + path("/a", "A") + "," + path("/b", "A_v3") + "}");
  }

  @Test
  void with_aThirdDocument_usesTheNumberOfAnEqualDefinition() {
    SwaggerSpec one = spec("{'paths':{" + path("/a", "A") + "},'definitions':{'A':{'type':'a'}}}");
    SwaggerSpec two = spec("{'paths':{" + path("/b", "A") + "},'definitions':{'A':{'type':'b'}}}");
    SwaggerSpec same = spec("{'paths':{" + path("/c", "A") + "},'definitions':{'A':{'type':'b'}}}");

    SwaggerSpec merged =
        one.with(two, SwaggerSpecTest::nothing).with(same, SwaggerSpecTest::nothing);

    assertThat(merged.definitions().keys()).containsExactly("A", "A_v2");
    assertThat(json(merged.paths())).contains(path("/c", "A_v2"));
  }

  @Test
  void with_takenNames_areNotUsed() {
    SwaggerSpec merged =
        spec("{'paths':{}}")
            .with(
                spec("{'paths':{" + path("/b", "A") + "},'definitions':{'A':{'type':'b'}}}"),
                "A"::equals);

    assertThat(merged.definitions().keys()).containsExactly("A_v2");
    assertThat(json(merged.paths())).isEqualTo("{" + path("/b", "A_v2") + "}");
  }

  @Test
  void with_aPathOfBoth_keepsThatOfTheFirst_andNothingOfTheOther() {
    SwaggerSpec first =
        spec("{'paths':{" + path("/a", "A") + "},'definitions':{'A':{'type':'string'}}}");

    assertThat(
            first.with(
                spec("{'paths':{" + path("/a", "B") + "},'definitions':{'B':{'type':'x'}}}"),
                SwaggerSpecTest::nothing))
        .isEqualTo(first);
    SwaggerSpec both =
        first.with(
            spec(
                "{'paths':{"
                    + path("/a", "B")
                    + ","
                    + path("/c", "C")
                    + "},'definitions':{'B':{'type':'x'},'C':{'type':'y'}}}"),
            SwaggerSpecTest::nothing);
    assertThat(both.definitions().keys()).containsExactly("A", "C");
    assertThat(json(both.paths())).contains(path("/a", "A")).contains(path("/c", "C"));
  }

  @Test
  void with_definitionsThatDifferInTheirKinds_haveTheKindsOfBoth() {
    String kinds = "'x-kubernetes-group-version-kind':[%s]";
    String first = "{'group':'','kind':'DeleteOptions','version':'v1'}";
    String other = "{'group':'apps','kind':'DeleteOptions','version':'v1'}";
    String another = "{'group':'shop','kind':'DeleteOptions','version':'v1'}";
    SwaggerSpec merged =
        spec("{'paths':{"
                + path("/a", "O")
                + "},'definitions':{'O':{'type':'object',"
                + kinds.formatted(first + "," + another)
                + "}}}")
            .with(
                spec(
                    "{'paths':{"
                        + path("/b", "O")
                        + "},'definitions':{'O':{'type':'object',"
                        + kinds.formatted(first + "," + other)
                        + "}}}"),
                SwaggerSpecTest::nothing);

    assertThat(json(merged.definitions()))
        .isEqualTo(
            "{'O':{'type':'object'," + kinds.formatted(first + "," + other + "," + another) + "}}");
  }

  @Test
  void with_parametersOfOneName_getANumber() {
    SwaggerSpec merged =
        spec("{'paths':{'/a':{}},'parameters':{'p':{'name':'a'}}}")
            .with(
                spec(
                    "{'paths':{'/b':{'parameters':[{'$ref':'#/parameters/p'}]}},"
                        + "'parameters':{'p':{'name':'b'}}}"),
                SwaggerSpecTest::nothing);

    assertThat(json(merged.parameters())).isEqualTo("{'p':{'name':'a'},'p_v2':{'name':'b'}}");
    assertThat(json(merged.paths())).contains("#/parameters/p_v2");
  }

  @Test
  void of_garbage_hasNoParts() {
    SwaggerSpec garbage = spec("{'paths':[1],'definitions':{'A':7,'B':{}},'parameters':{'x':'y'}}");

    assertThat(garbage.paths().isEmpty()).isTrue();
    assertThat(garbage.definitions().keys()).containsExactly("B");
    assertThat(garbage.parameters().isEmpty()).isTrue();
    assertThat(spec("{'paths':{'/a':{}}}").with(garbage, SwaggerSpecTest::nothing).paths().keys())
        .containsExactly("/a");
  }

  @Test
  void with_manyConflicts_endsSoon() {
    StringBuilder one = new StringBuilder("{'paths':{'/a':{}},'definitions':{'D':{'type':'a'}");
    StringBuilder two = new StringBuilder("{'paths':{'/b':{}},'definitions':{'D':{'type':'b'}");
    for (int i = 2; i < 3_000; i++) {
      one.append(",'D_v").append(i).append("':{'type':'a'}");
      two.append(",'D_v").append(i).append("':{'type':'b'}");
    }

    SwaggerSpec merged = spec(one + "}}").with(spec(two + "}}"), SwaggerSpecTest::nothing);

    assertThat(merged.definitions().size()).isEqualTo(2 * 2_999);
  }
}
