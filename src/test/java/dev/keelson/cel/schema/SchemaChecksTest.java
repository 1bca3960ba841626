package dev.keelson.cel.schema;

import static dev.keelson.cel.schema.RuleSamples.list;
import static dev.keelson.cel.schema.RuleSamples.mapList;
import static dev.keelson.cel.schema.RuleSamples.mapOf;
import static dev.keelson.cel.schema.RuleSamples.node;
import static dev.keelson.cel.schema.RuleSamples.object;
import static dev.keelson.cel.schema.RuleSamples.rule;
import static dev.keelson.cel.schema.RuleSamples.type;
import static dev.keelson.cel.schema.RuleSamples.withRules;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Costs: by the documented model of cel-go; what is accepted: by kube-apiserver's limits. */
@Timeout(120)
class SchemaChecksTest {

  private static final String FACTOR =
      " (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays,"
          + " maps, and strings are declared)";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "true | 0",
        "self.i == 5 | 2",
        "self.i + 1 > 2 | 4",
        "has(self.s) | 1",
        "has(self.s) && self.s == 'abc' | 4",
        "self.s == self.t | 8",
        "self.s.startsWith('abc') | 3",
        "self.s.contains('abcdefghijklm') | 10",
        "self.s.matches('^[a-z]+$') | 12",
        "self.s + self.t == '' | 12",
        "self.list.all(x, x > 1) | 53",
        "self.list.exists(x, x > 1) | 63",
        "self.list.map(x, x + 1) == [] | 163",
        "self.list.filter(x, x > 1).size() == 0 | 165",
        "1 in self.list | 12",
        "[1, 2].all(x, x > 0) | 21",
        "self.list[0] == 1 | 3",
        "self.map.all(k, self.map[k] == 'a') | 43",
        "self.i > 1 ? self.s == 'a' : true | 6",
        "self.s.upperAscii() == '' | 6",
        "self.list.sum() > 1 | 13",
        "self.list.isSorted() | 12",
        "quantity(self.s).isInteger() | 7",
        "isQuantity('20M') | 1",
        "isIP(self.s) | 6",
        "ip('2001:db8:3333:4444:5555:6666:7777:8888') == ip('192.168.0.1') | 7",
        "ip.isCanonical('2001:db8:3333:4444:5555:6666:7777:8888') | 8",
        "cidr(self.s).ip().family() == 4 | 9",
        "cidr('192.168.0.0/16').containsIP('192.169.0.1') | 8",
        "cidr('192.168.0.0/16').containsCIDR(cidr('192.0.0.0/30')) | 11",
        "isSemver('1234.56789012345.67890123456789') | 4",
        "semver(self.s).major() == 1 | 8",
        "strings.quote(self.s) == strings.quote('ABCDEFGHIJ abcdefghij') | 14",
        "self.s.split(',').size() > 0 | 12",
        "sets.contains(self.list, [1, 2]) | 33"
      })
  void rule_costsAsCelGoEstimates(String text, long cost) {
    MapNode schema =
        object(
            "i", type("integer"),
            "s", type("string").with("maxLength", node(10)),
            "t", type("string").with("maxLength", node(10)),
            "list", list(type("integer")).with("maxItems", node(10)),
            "map", mapOf(type("string").with("maxLength", node(1))).with("maxProperties", node(5)));
    MapNode source = withRules(schema, rule(text));
    StructuralSchema structural = StructuralSchema.of(source);
    var data = SchemaTypes.of(structural, "selfType", /* root= */ false).orElseThrow();
    Rule compiled = Rule.compile(structural.validations(), structural, data).getFirst();

    assertThat(compiled.error()).isEmpty();
    assertThat(compiled.cost()).isEqualTo(cost);
  }

  @Test
  void wrongRules_areNamedWithTheCompilersWords() {
    MapNode schema =
        object(
            "a", withRules(type("integer"), rule("self.x == 1"), rule("self + 1")),
            "b",
                withRules(
                    type("string"),
                    rule("true", "messageExpression", "1"),
                    rule("true", "messageExpression", "self +"),
                    rule("self == 'a'", "optionalOldSelf", true)));

    assertThat(check(schema))
        .containsExactly(
            new FieldCause(
                "FieldValueInvalid",
                "Invalid value: {\"Rule\":\"self.x =="
                    + " 1\",\"Message\":\"\",\"MessageExpression\":\"\",\"Reason\":null,\"FieldPath\":\"\",\"OptionalOldSelf\":null}:"
                    + " compilation failed: ERROR: <input>:1:5: type 'int' does not support field"
                    + " selection\n"
                    + " | self.x == 1\n"
                    + " | ....^",
                "schema.properties[a].x-kubernetes-validations[0].rule"),
            new FieldCause(
                "FieldValueInvalid",
                "Invalid value: {\"Rule\":\"self + 1\",\"Message\":\"\",\"MessageExpression\":\"\","
                    + "\"Reason\":null,\"FieldPath\":\"\",\"OptionalOldSelf\":null}: cel expression"
                    + " must evaluate to a bool",
                "schema.properties[a].x-kubernetes-validations[1].rule"),
            new FieldCause(
                "FieldValueInvalid",
                "Invalid value: {\"Rule\":\"true\",\"Message\":\"\",\"MessageExpression\":\"1\","
                    + "\"Reason\":null,\"FieldPath\":\"\",\"OptionalOldSelf\":null}:"
                    + " messageExpression must evaluate to a string",
                "schema.properties[b].x-kubernetes-validations[0].messageExpression"),
            new FieldCause(
                "FieldValueInvalid",
                "Invalid value: {\"Rule\":\"true\",\"Message\":\"\",\"MessageExpression\":\"self"
                    + " +\",\"Reason\":null,\"FieldPath\":\"\",\"OptionalOldSelf\":null}:"
                    + " messageExpression compilation failed: ERROR: <input>:1:7: Syntax error:"
                    + " mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true',"
                    + " 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n"
                    + " | self +\n"
                    + " | ......^",
                "schema.properties[b].x-kubernetes-validations[1].messageExpression"),
            new FieldCause(
                "FieldValueInvalid",
                "Invalid value: true: may not be set if oldSelf is not used in rule",
                "schema.properties[b].x-kubernetes-validations[2].optionalOldSelf"));
  }

  @Test
  void oldSelf_isRefusedWhereOldValuesAreNotKnown() {
    MapNode item = withRules(object("k", type("string")), rule("self == oldSelf"));
    MapNode bounded = mapList(item, "k").with("maxItems", node(5));

    assertThat(check(object("map", bounded))).isEmpty();
    assertThat(check(object("l", list(object("m", bounded)).with("maxItems", node(5)))))
        .extracting(FieldCause::message)
        .containsExactly(
            "Invalid value: \"self == oldSelf\": oldSelf cannot be used on the uncorrelatable"
                + " portion of the schema within schema.properties[l]");
  }

  @Test
  void unboundedLoop_costsTooMuch() {
    MapNode schema =
        object("tags", withRules(list(type("string")), rule("self.all(x, x.contains('gpu'))")));

    assertThat(check(schema))
        .containsExactly(
            FieldCause.forbidden(
                "schema.properties[tags].x-kubernetes-validations[0].rule",
                "estimated rule cost exceeds budget by factor of more than 100x" + FACTOR),
            FieldCause.forbidden(
                "schema.properties[tags].x-kubernetes-validations[0].rule",
                "contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3"
                    + " schema"),
            FieldCause.forbidden(
                "schema",
                "x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema"
                    + " exceeds budget by factor of more than 100x"
                    + FACTOR));
  }

  /** The limits that kube-apiserver 1.36 has for this rule. */
  @ParameterizedTest
  @CsvSource({"16, 909090", "63, 333333", "253, 94339", "1024, 24154"})
  void boundedLoop_isAcceptedUpToTheLimit(int length, int items) {
    assertThat(check(contains(length, items))).isEmpty();
    assertThat(check(contains(length, items + 1)))
        .extracting(FieldCause::message)
        .containsExactly(
            "Forbidden: estimated rule cost exceeds budget by factor of 1.0000"
                + check(contains(length, items + 1))
                    .getFirst()
                    .message()
                    .replaceAll(".*1\\.0000(\\d\\d)x.*", "$1x")
                + FACTOR);
  }

  private static MapNode contains(int length, int items) {
    return object(
        "tags",
        withRules(
            list(type("string").with("maxLength", node(length))).with("maxItems", node(items)),
            rule("self.all(x, x.contains('gpu'))")));
  }

  @Test
  void ruleBelowLists_isCountedForEachElement() {
    MapNode rules = withRules(object("i", type("integer")), rule("self.i > 1"));

    assertThat(check(object("l", list(rules).with("maxItems", node(10_000))))).isEmpty();
    assertThat(check(object("l", list(rules)))).isEmpty();
    assertThat(
            check(
                object(
                    "l",
                    list(list(rules).with("maxItems", node(10_000)))
                        .with("maxItems", node(10_000)))))
        .extracting(FieldCause::field)
        .containsExactly(
            "schema.properties[l].items.items.x-kubernetes-validations[0].rule",
            "schema.properties[l].items.items.x-kubernetes-validations[0].rule",
            "schema");
  }

  @Test
  void unchangedSchema_isNotLimitedByRule() {
    MapNode schema = contains(1024, 30_000);

    assertThat(SchemaChecks.check(StructuralSchema.of(schema), "schema", true, path -> false))
        .isEmpty();
    assertThat(SchemaChecks.check(StructuralSchema.of(schema), "schema", false, path -> true))
        .isEmpty();
  }

  @Test
  void fieldPaths_leadToDeclaredFields() {
    StructuralSchema schema =
        StructuralSchema.of(
            object("a", object("b.c", type("string")), "m", mapOf(object("x", type("string")))));

    for (String valid : List.of(".a", ".a['b.c']", ".m['any key'].x", ".m.k", "['a']")) {
      assertThat(SchemaChecks.isFieldPath(valid, schema)).as(valid).isTrue();
    }
    for (String wrong : List.of("a", ".x", ".a.b", ".a[0]", ".", ".a[", ".a['b.c'", ".m['k'].y")) {
      assertThat(SchemaChecks.isFieldPath(wrong, schema)).as(wrong).isFalse();
    }
  }

  private static List<FieldCause> check(MapNode schema) {
    return SchemaChecks.check(StructuralSchema.of(schema), "schema", false, path -> false);
  }
}
