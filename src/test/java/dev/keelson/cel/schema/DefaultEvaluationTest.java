package dev.keelson.cel.schema;

import static dev.keelson.cel.schema.RuleSamples.list;
import static dev.keelson.cel.schema.RuleSamples.node;
import static dev.keelson.cel.schema.RuleSamples.object;
import static dev.keelson.cel.schema.RuleSamples.rule;
import static dev.keelson.cel.schema.RuleSamples.type;
import static dev.keelson.cel.schema.RuleSamples.withRules;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DefaultEvaluationTest {

  @Test
  void failedRules_areToldWithThePathOfTheDefault() {
    StructuralSchema schema =
        StructuralSchema.of(
            withRules(
                object("a", withRules(type("integer"), rule("self > 3", "message", "too small"))),
                rule("self.a != 2")));

    assertThat(
            new DefaultEvaluation()
                .validate(node(Map.of("a", 2)), schema, "schema.properties[x].default"))
        .containsExactly(
            new FieldCause(
                "FieldValueInvalid",
                "Invalid value: failed rule: self.a != 2",
                "schema.properties[x].default"),
            new FieldCause(
                "FieldValueInvalid",
                "Invalid value: 2: too small",
                "schema.properties[x].default.a"));
  }

  @Test
  void rulesThatDoNotCompile_fail() {
    StructuralSchema schema = StructuralSchema.of(withRules(type("integer"), rule("self.x == 1")));

    assertThat(new DefaultEvaluation().validate(node(1), schema, "default"))
        .singleElement()
        .extracting(FieldCause::message)
        .asString()
        .startsWith("Invalid value: \"integer\": rule compile error: compilation failed: ");
  }

  @Test
  void budget_isForAllDefaultsTogether() {
    StructuralSchema schema =
        StructuralSchema.of(
            withRules(list(type("integer")), rule("self.all(x, self.all(y, x == y || x != y))")));
    Node value = node(IntStream.range(0, 300).boxed().toList());
    DefaultEvaluation evaluation = new DefaultEvaluation();

    List<FieldCause> causes = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      causes.addAll(evaluation.validate(value, schema, "default"));
    }

    assertThat(causes)
        .singleElement()
        .extracting(FieldCause::message)
        .asString()
        .contains("running out of cost budget");
  }
}
