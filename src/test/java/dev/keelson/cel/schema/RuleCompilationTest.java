package dev.keelson.cel.schema;

import static dev.keelson.cel.schema.RuleSamples.list;
import static dev.keelson.cel.schema.RuleSamples.map;
import static dev.keelson.cel.schema.RuleSamples.object;
import static dev.keelson.cel.schema.RuleSamples.rule;
import static dev.keelson.cel.schema.RuleSamples.text;
import static dev.keelson.cel.schema.RuleSamples.type;
import static dev.keelson.cel.schema.RuleSamples.withRules;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which rules compile, and words of the errors, as kube-apiserver has them. */
@Timeout(60)
class RuleCompilationTest {

  private static final MapNode FIELDS =
      object(
          "i", type("integer"),
          "b", type("boolean"),
          "s", type("string"),
          "bytes", text("byte"),
          "n", type("number"),
          "a", list(type("integer")),
          "aa", list(list(type("string"))),
          "m", RuleSamples.mapOf(type("boolean")),
          "namespace", list(list(type("string"))),
          "if", type("integer"),
          "self", type("integer"),
          "o", object("i", type("integer"), "o", object()));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "self.i < 3 && self.b | ''",
        "self.s.startsWith('s') | ''",
        "string(self.bytes).endsWith('s') | ''",
        "self.n > 1.0 | ''",
        "size(self.aa[0]) == 10 | ''",
        "size(self.m) > 0 | ''",
        "self.o.i == 10 | ''",
        "size(self.__namespace__[0]) == 10 | ''",
        "self.__if__ == 10 && self.self == 10 | ''",
        "size(self.n) == 10 | found no matching overload for 'size' applied to '(double)'",
        "size(self.i) == 10 | found no matching overload for 'size' applied to '(int)'",
        "size(self.namespace[0]) == 10 | undefined field 'namespace'",
        "self.if == 10 | undefined field 'if'",
        "self == 10 | found no matching overload",
        "self.i | must evaluate to a bool",
        "42 | must evaluate to a bool",
        "unknown('abc') == 'ABC' | undeclared reference to 'unknown'",
        "self.i > 0 && nothing | undeclared reference to 'nothing'",
        "self.s.matches('(') | invalid matches argument"
      })
  void rule_compiles_orFails(String rule, String words) {
    assertError(rule(rule), words);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "self.i >= oldSelf.i.value() | ''",
        "self.s == oldSelf.s.value() | ''",
        "self.b == oldSelf.b.value() | ''",
        "self.o == oldSelf.o.value() | ''",
        "self.o.o == oldSelf.o.o.value() | ''",
        "self.o.i >= oldSelf.o.i.orValue(1) | ''",
        "oldSelf.hasValue() ? self.o.i >= oldSelf.o.i.value() : true | ''",
        "self.o.i >= oldSelf.o.i | optional",
        "self.o.i >= oldSelf.o.s.orValue(0) | undefined field 's'",
        "self.o.i >= oldSelf.o.i.orValue('') | orValue"
      })
  void ruleWithOptionalOldSelf_compiles_orFails(String rule, String words) {
    assertError(rule(rule, "optionalOldSelf", true), words);
  }

  private static void assertError(MapNode rule, String words) {
    Rule compiled = compiled(rule);
    if (words.equals("''")) {
      assertThat(compiled.error()).isEmpty();
      assertThat(compiled.program()).isNotNull();
    } else {
      assertThat(compiled.error()).contains(words);
      assertThat(compiled.program()).isNull();
    }
  }

  private static Rule compiled(MapNode rule) {
    StructuralSchema schema = StructuralSchema.of(withRules(FIELDS, rule));
    var type = SchemaTypes.of(schema, "selfType", /* root= */ false).orElseThrow();
    return Rule.compile(schema.validations(), schema, type).getFirst();
  }

  @Test
  void messageExpression_isAString() {
    assertThat(compiled(rule("self.i == 5", "messageExpression", "42")).messageError())
        .isEqualTo("messageExpression must evaluate to a string");
    assertThat(compiled(rule("self.i == 5", "messageExpression", "\"abc")).messageError())
        .startsWith("messageExpression compilation failed: ");
    assertThat(compiled(rule("self.i == 5", "messageExpression", "'n: ' + string(self.i)")))
        .matches(rule -> rule.messageError().isEmpty() && rule.message() != null);
  }

  @Test
  void blankRule_isNotCompiled() {
    assertThat(compiled(map("rule", " \t")))
        .matches(rule -> rule.error().isEmpty() && rule.program() == null);
  }

  @Test
  void largeRules_areRefused() {
    assertThat(compiled(rule("1 == 1" + " && 1 == 1".repeat(20_000))).error())
        .contains("compilation failed: ");
    assertThat(compiled(rule("(".repeat(5_000) + "true" + ")".repeat(5_000))).error())
        .contains("compilation failed: ");
  }

  @Test
  void sameRuleOfManyProperties_isCompiledOnce() {
    int before = Compiled.sharedCount();
    MapNode part = withRules(type("integer"), rule("self != 987654"));
    Object[] properties = new Object[10_000];
    for (int i = 0; i < properties.length; i += 2) {
      properties[i] = "property" + i;
      properties[i + 1] = part;
    }
    StructuralSchema schema = StructuralSchema.of(object(properties));

    assertThat(SchemaChecks.check(schema, "schema", false, path -> false)).isEmpty();

    assertThat(Compiled.sharedCount()).isLessThanOrEqualTo(before + 1);
  }

  @Test
  void rulesOnAllLevelsOfADeepSchema_areChecked() {
    MapNode schema = withRules(type("integer"), rule("self > 1"));
    for (int i = 0; i < 120; i++) {
      schema = withRules(object("below", schema), rule("has(self.below)"));
    }

    assertThat(SchemaChecks.check(StructuralSchema.of(schema), "schema", false, path -> false))
        .isEmpty();
  }
}
