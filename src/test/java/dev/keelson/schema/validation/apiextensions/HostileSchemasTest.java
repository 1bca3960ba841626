package dev.keelson.schema.validation.apiextensions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Schemas that are made to cost much: bounded time, and a cause. */
@Timeout(10)
class HostileSchemasTest {

  private final Definitions rules = new Definitions();

  private List<String> create(String schema) {
    return rules.create(Definitions.withSchema(schema));
  }

  private static String properties(int count, String schema) {
    return IntStream.range(0, count)
        .mapToObj(i -> "'p" + i + "':" + schema)
        .collect(Collectors.joining(",", "{'type':'object','properties':{", "}}"));
  }

  @Test
  void manyProperties_areValidated() {
    assertThat(create(properties(20_000, "{'type':'string','pattern':'^[a-z]+$'}"))).isEmpty();
    assertThat(create(properties(20_000, "{}"))).hasSize(65).endsWith(": and 19936 more");
  }

  @Test
  void manySelectorsOfOneSchema_areResolvedApart() {
    String rule = "{'rule':'true','fieldPath':'.nowhere'}";
    String validations = (rule + ",").repeat(2_000) + rule;
    String schema = properties(5_000, "{'type':'string'}");

    assertThat(
            create(
                schema.substring(0, schema.length() - 1)
                    + ",'x-kubernetes-validations':["
                    + validations
                    + "]}"))
        .hasSize(65)
        .endsWith(": and 1937 more");
  }

  @Test
  void deepSchema_withCausesEverywhere_isValidated() {
    String name = "n".repeat(2_000);
    StringBuilder schema = new StringBuilder("{}");
    for (int i = 0; i < 240; i++) {
      schema.insert(0, "{'properties':{'" + name + "':").append("},'nullable':true}");
    }

    assertThat(create(schema.toString())).isNotEmpty();
  }

  @Test
  void deepJunctors_areValidated() {
    StringBuilder schema = new StringBuilder("{'title':'t'}");
    for (int i = 0; i < 150; i++) {
      schema.insert(0, "{'allOf':[").append("],'description':'d'}");
    }

    assertThat(create("{'type':'object','not':" + schema + "}"))
        .hasSize(65)
        .endsWith(": and 87 more");
  }

  @Test
  void longName_aroundManyCauses_isNotRepeatedForAll() {
    String many =
        IntStream.range(0, 30_000)
            .mapToObj(i -> "'" + i + "':{}")
            .collect(Collectors.joining(",", "{'type':'object','properties':{", "}}"));
    String schema = "{'type':'object','properties':{'" + "x".repeat(500_000) + "':" + many + "}}";

    assertThat(create(schema)).hasSizeLessThan(100);
  }

  @Test
  void patternThatGrows_isRefused() {
    assertThat(
            create(
                "{'type':'object','properties':{'a':{'type':'string',"
                    + "'pattern':'((a{100}){100}){100}'}}}"))
        .singleElement()
        .asString()
        .contains("must be a valid regular expression, but isn't");
    assertThat(
            create(
                "{'type':'object','properties':{'a':{'type':'string','pattern':'"
                    + "(".repeat(5_000)
                    + ")".repeat(5_000)
                    + "'}}}"))
        .singleElement()
        .asString()
        .contains("expression nests too deeply");
    assertThat(
            create(
                "{'type':'object','properties':{'a':{'type':'string','pattern':'"
                    + "(".repeat(1_000)
                    + ")".repeat(1_000)
                    + "'}}}"))
        .isEmpty();
  }

  @Test
  void update_ofALargeDefinition_isValidated() {
    MapNode definition =
        Definitions.withSchema(
            properties(20_000, "{'type':'object','default':{},'properties':{}}"));

    assertThat(rules.update(definition, definition, "")).isEmpty();
  }
}
