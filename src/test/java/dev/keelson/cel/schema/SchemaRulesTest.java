package dev.keelson.cel.schema;

import static dev.keelson.cel.schema.RuleSamples.list;
import static dev.keelson.cel.schema.RuleSamples.map;
import static dev.keelson.cel.schema.RuleSamples.mapList;
import static dev.keelson.cel.schema.RuleSamples.mapOf;
import static dev.keelson.cel.schema.RuleSamples.object;
import static dev.keelson.cel.schema.RuleSamples.rule;
import static dev.keelson.cel.schema.RuleSamples.set;
import static dev.keelson.cel.schema.RuleSamples.text;
import static dev.keelson.cel.schema.RuleSamples.type;
import static dev.keelson.cel.schema.RuleSamples.withRules;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expected results: by Kubernetes' documentation of validation rules and its messages. */
@Timeout(120)
class SchemaRulesTest {

  private static final MapNode EVERYTHING =
      object(
          "i", type("integer"),
          "n", type("number"),
          "s", type("string"),
          "b", type("boolean"),
          "day", text("date"),
          "time", text("date-time"),
          "span", text("duration"),
          "bytes", text("byte"),
          "list", list(type("integer")),
          "set", set(type("string")),
          "map", mapOf(type("integer")),
          "pairs", mapList(object("k", type("string"), "v", type("integer")), "k"),
          "either", map("x-kubernetes-int-or-string", true),
          "other", map("x-kubernetes-int-or-string", true),
          "null", map("type", "string", "nullable", true),
          "embedded",
              map(
                  "type",
                  "object",
                  "x-kubernetes-embedded-resource",
                  true,
                  "x-kubernetes-preserve-unknown-fields",
                  true),
          "texts", mapOf(map("type", "string", "nullable", true)),
          "durations", list(text("duration")),
          "zoned", text("date-time"),
          "a-b", type("integer"),
          "a.b", type("integer"),
          "a/b", type("integer"),
          "a__b", type("integer"),
          "namespace", type("integer"),
          "deep", object("list", list(object("x", list(type("string"))))));

  private static final MapNode VALUE =
      map(
          "apiVersion",
          "example.org/v1",
          "kind",
          "Thing",
          "metadata",
          map("name", "one", "labels", map("a", "b")),
          "i",
          5,
          "n",
          5,
          "s",
          "text äöü",
          "b",
          true,
          "day",
          "2024-02-29",
          "time",
          "2024-02-29T12:30:00Z",
          "span",
          "1h30m",
          "bytes",
          "aGVsbG8=",
          "list",
          List.of(3, 1, 2),
          "set",
          List.of("b", "a"),
          "map",
          map("one", 1, "two-x", 2),
          "pairs",
          List.of(map("k", "a", "v", 1), map("k", "b", "v", 2)),
          "either",
          5,
          "other",
          "50%",
          "null",
          Node.Null.NULL,
          "embedded",
          map("apiVersion", "v1", "kind", "Pod", "metadata", map("name", "p")),
          "texts",
          map("n", Node.Null.NULL, "s", "x"),
          "durations",
          List.of(),
          "zoned",
          "2011-08-18T19:03:37.01+01:00",
          "a-b",
          1,
          "a.b",
          2,
          "a/b",
          3,
          "a__b",
          4,
          "namespace",
          5,
          "deep",
          map("list", List.of(map("x", List.of("p", "q")))));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "self.i == 5 && type(self.i) == int",
        "type(self.n) == double && self.n == 5.0 && self.n <= self.i",
        "self.s.size() == 8 && self.s.startsWith('text')",
        "self.b",
        "self.day.getFullYear() == 2024 && type(self.day) == google.protobuf.Timestamp",
        "self.time > timestamp('2024-02-29T12:00:00Z')",
        "self.time - duration('30m') == timestamp('2024-02-29T12:00:00Z')",
        "self.span == duration('90m') && self.span.getMinutes() == 90",
        "self.bytes == b'hello' && size(self.bytes) == 5",
        "self.list.sum() == 6 && self.list[1] == 1 && self.list.max() == 3",
        "self.list == [3, 1, 2] && self.list != [1, 2, 3]",
        "self.list.sort() == [1, 2, 3] && self.set.sort() == ['a', 'b'] && self.list.slice(1, 2) == [1]",
        "self.pairs.sortBy(p, -p.v)[0].k == 'b' && self.pairs.reverse()[0].v == 2",
        "self.deep.list.map(d, d.x).flatten() == ['p', 'q'] && self.list.distinct().size() == 3",
        "lists.range(3).map(i, self.list[i]) == self.list",
        "self.list + [4] == [3, 1, 2, 4]",
        "self.set == ['a', 'b'] && self.set == ['b', 'a'] && self.set != ['a', 'c']",
        "self.set + ['a', 'c'] == ['b', 'a', 'c']",
        "self.map.one == 1 && self.map['two-x'] == 2 && 'one' in self.map && !('x' in self.map)",
        "self.map.all(k, self.map[k] > 0) && self.map.exists(k, v, k == 'one' && v == 1)",
        "self.map == {'one': 1, 'two-x': 2}",
        "has(self.map.one) && !has(self.map.three)",
        "self.pairs.exists(p, p.k == 'b' && p.v == 2) && self.pairs.map(p, p.v) == [1, 2]",
        "self.pairs.filter(p, p.v > 1).size() == 1",
        "self.pairs == [self.pairs[1], self.pairs[0]]",
        "self.pairs + [self.pairs[0]] == self.pairs",
        "type(self.either) == int && self.either < 6 && type(self.other) == string",
        "self.other.replace('%', '') == '50' && double(self.other.replace('%', '')) < 60.0",
        "!has(self.__null__) && self.?__null__ == optional.none()",
        "self.texts['n'] != 'x' && type(self.texts['n']) == null_type && 'n' in self.texts",
        "self.embedded.kind == 'Pod' && self.embedded.metadata.name == 'p'",
        "self.metadata.name == 'one' && self.kind == 'Thing' && self.apiVersion.endsWith('v1')",
        "self.a__dash__b == 1 && self.a__dot__b == 2 && self.a__slash__b == 3",
        "self.a__underscores__b == 4 && self.__namespace__ == 5 && has(self.a__dash__b)",
        "self.deep.list.all(e, e.x.all(t, t.matches('^[pq]$')))",
        "self.?s.orValue('none') == 'text äöü' && optional.none().hasValue() == false",
        "self.?deep.?list[?0].hasValue() && !self.list[?9].hasValue()",
        "optional.of(self.i).optMap(x, x + 1).value() == 6",
        "has(self.s) ? self.s.contains('ext') : false",
        "'%.2f %e %x %s'.format([1234.5, 10.0, 255, [1, 2]]) == '1,234.50 1.000000\u202f×\u202f10⁰¹"
            + " ff [1, 2]'",
        "'%s is %d'.format([self.metadata.name, self.i]) == 'one is 5'",
        "quantity('1Gi').isGreaterThan(quantity('1Mi')) && ip('10.0.0.1').family() == 4",
        "semver('1.2.3').isLessThan(semver('1.10.0')) && semver('v01.2', true).minor() == 2",
        "isSemver('1.0.0-rc.1') && !isSemver('1.0') && isSemver('v1.0', true)",
        "semver('1.0.0-rc.2').compareTo(semver('1.0.0-rc.10')) == -1",
        "format.dns1123Label().validate('a-b') == optional.none()",
        "sets.intersects(self.set, ['a']) && self.list.transformList(i, v, v + i) == [3, 2, 4]",
        "self.list.isSorted() == false && self.s.find('[a-z]+') == 'text'",
        "self.s.split(' ').map(x, x.upperAscii()).join('-') == 'TEXT-äöü'",
        "!(1 / (self.i - 5) > 0) || true",
        "[1, 2, 3].exists(x, 1 / (x - 1) > 5 || x == 3)",
        "int('7') + self.i == 12 && string(self.i) == '5' && dyn(self.i) == 5",
        "url('https://a.example:80/x?y=z').getHostname() == 'a.example'",
        "(self.pairs + [self.pairs[0]]) == [self.pairs[1], self.pairs[0]]",
        "(self.set + ['c']) == ['c', 'b', 'a']",
        "self.durations.sum() == duration('0') && [].sum() == 0 && dyn([]).sum() == 0",
        "dyn([1.0, 2.0]).sum() == 3.0 && [uint(1), uint(2)].sum() == uint(3)",
        "[duration('1s'), duration('1m')].sum() == duration('61s')",
        "[timestamp('2000-01-01T00:00:00+01:00'), timestamp('2000-01-01T00:00:00Z')].isSorted()",
        "[self.zoned, self.time].max() == self.time && [b'b', b'a'].min() == b'a'",
        "[[1], [2]].indexOf([1.0 == 1.0 ? 1 : 2]) == 0 && [{'a': 1}].lastIndexOf({'a': 1}) == 0",
        "string(self.zoned) == '2011-08-18T19:03:37.01+01:00' && self.zoned.getHours() == 18",
        "self.zoned.getHours('UTC') == 18 && self.zoned.getHours('01:00') == 19",
        "self.zoned.getDayOfWeek() == 4 && self.zoned.getMilliseconds() == 10",
        "self.zoned - duration('1h') == timestamp('2011-08-18T17:03:37.01Z')",
        "string(self.zoned + duration('24h')) == '2011-08-19T19:03:37.01+01:00'",
        "self.zoned - timestamp('2011-08-18T18:03:36.01Z') == duration('1s')",
        "string(timestamp('2011-08-18T18:03:36.010Z')) == '2011-08-18T18:03:36.01Z'",
        "string(10.0) == '10' && string(1e21) == '1e+21' && string(0.5) == '0.5'",
        "string(duration('3723004ms')) == '3723.004s' && string(duration('1h')) == '3600s'",
        "optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z')) == optional.none()",
        "optional.ofNonZeroValue(timestamp('1970-01-01T00:00:00Z')).hasValue()",
        "bool('t') && bool('True') && !bool('0') && !bool('FALSE')",
        "type(ip('10.0.0.1')) == net.IP && type(cidr('10.0.0.0/8').ip()) == net.IP",
        "type(cidr('::/0')) == net.CIDR && type(ip('::')) != net.CIDR",
        "{?'k': optional.none(), 'j': 1} == {'j': 1} && ['a', ?optional.of('b')] == ['a', 'b']"
      })
  void rule_thatHolds_findsNothing(String rule) {
    assertThat(causes(withRules(EVERYTHING, rule(rule)), VALUE)).isEmpty();
  }

  static Stream<List<String>> failures() {
    return Stream.of(
        List.of("self.i > 5", "Invalid value: failed rule: self.i > 5"),
        List.of(
            "self.map['x'] == 1",
            "Invalid value: \"object\": no such key: x evaluating rule: self.map['x'] == 1"),
        List.of(
            "self.map.x == 1",
            "Invalid value: \"object\": no such key: x evaluating rule: self.map.x == 1"),
        List.of(
            "self.list[3] == 1",
            "Invalid value: \"object\": index out of bounds: 3 evaluating rule: self.list[3] == 1"),
        List.of(
            "self.i / 0 == 1",
            "Invalid value: \"object\": division by zero evaluating rule: self.i / 0 == 1"),
        List.of(
            "self.i % 0 == 1",
            "Invalid value: \"object\": modulus by zero evaluating rule: self.i % 0 == 1"),
        List.of(
            "9223372036854775807 + self.i > 0",
            "Invalid value: \"object\": integer overflow evaluating rule: 9223372036854775807 +"
                + " self.i > 0"),
        List.of(
            "self.other > 3",
            "Invalid value: \"object\": 'no such overload': call arguments did not match a"
                + " supported operator, function or macro signature for rule: self.other > 3"),
        List.of(
            "self.s.charAt(9) == ''",
            "Invalid value: \"object\": index out of range: 9 evaluating rule: self.s.charAt(9) =="
                + " ''"),
        List.of(
            "self.s.substring(3, 2) == ''",
            "Invalid value: \"object\": invalid substring range. start: 3, end: 2 evaluating rule:"
                + " self.s.substring(3, 2) == ''"),
        List.of(
            "self.s.find(self.s + ')') == ''",
            "Invalid value: \"object\": Illegal regex: error parsing regexp: unexpected ): `text"
                + " äöü)` evaluating rule: self.s.find(self.s + ')') == ''"),
        List.of(
            "int(self.s) == 1",
            "Invalid value: \"object\": type conversion error from 'string' to 'int' evaluating"
                + " rule: int(self.s) == 1"));
  }

  static Stream<List<String>> wrong() {
    return Stream.of(
        List.of("self.s.matches(')')", "compilation failed: ERROR: <input>:1:16: invalid matches"),
        List.of(
            "self.s.find(')') == ''",
            "program instantiation failed: error parsing regexp: unexpected ): `)`"),
        List.of(
            "self.s.findAll('x++', 1) == []",
            "program instantiation failed: error parsing regexp: invalid nested repetition"
                + " operator: `++`"),
        List.of(
            "int('x') == 1",
            "program instantiation failed: type conversion error from 'string' to 'int'"),
        List.of("self.true == 1", "compilation failed: ERROR: <input>:1:6: Syntax error: "),
        List.of(
            "self.i! == 1",
            "compilation failed: ERROR: <input>:1:7: Syntax error: mismatched input '!' expecting"
                + " {<EOF>, '==', '!=', 'in', '<', '<=', '>=', '>', '&&', '||', '[', '.', '-', '?',"
                + " '+', '*', '/', '%'}"),
        List.of(
            "self.i == [1",
            "compilation failed: ERROR: <input>:1:13: Syntax error: mismatched input '<EOF>'"),
        List.of(
            "['a'].sum() == 'a'",
            "compilation failed: ERROR: <input>:1:10: found no matching overload for 'sum' applied"
                + " to 'list(string).()'"),
        List.of(
            "[{'b': 2}].max() == {'b': 2}",
            "compilation failed: ERROR: <input>:1:15: found no matching overload for 'max' applied"
                + " to 'list(map(string, int)).()'"),
        List.of(
            "self.s == null",
            "compilation failed: ERROR: <input>:1:8: found no matching overload for '_==_' applied"
                + " to '(string, null)'"),
        List.of(
            "authorizer.path('/').check('get').allowed()",
            "compilation failed: ERROR: <input>:1:1: undeclared reference to 'authorizer'"),
        List.of(
            "self.b == ".repeat(250) + "self.b",
            "compilation failed: ERROR: <input>:-1:0: max recursion depth exceeded"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void wrongRule_isNamedInGoWords(List<String> sample) {
    assertThat(causes(withRules(EVERYTHING, rule(sample.get(0))), VALUE))
        .singleElement()
        .extracting(FieldCause::message)
        .asString()
        .startsWith("Invalid value: \"object\": rule compile error: " + sample.get(1));
  }

  @Test
  void depth_isThatOfCelGo() {
    assertThat(causes(withRules(EVERYTHING, rule("self.b == ".repeat(249) + "self.b")), VALUE))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("failures")
  void rule_thatFails_saysWhy(List<String> sample) {
    assertThat(causes(withRules(EVERYTHING, rule(sample.get(0))), VALUE))
        .containsExactly(new FieldCause("FieldValueInvalid", sample.get(1), "<nil>"));
  }

  @Test
  void failure_namesPlaceAndScalar() {
    MapNode schema =
        object(
            "spec",
            object(
                "n", withRules(type("integer"), rule("self > 5", "message", " too small ")),
                "s", withRules(type("string"), rule("self == 'a'")),
                "l", list(withRules(type("string"), rule("self != 'b'"))),
                "m", mapOf(withRules(type("number"), rule("self > 2.0")))));
    MapNode value = map("spec", map("l", List.of("a", "b"), "m", map("k", 1.5), "n", 3, "s", "x"));

    assertThat(causes(schema, value))
        .containsExactly(
            invalid("Invalid value: \"b\": failed rule: self != 'b'", "spec.l[1]"),
            invalid("Invalid value: 1.5: failed rule: self > 2.0", "spec.m[k]"),
            invalid("Invalid value: 3: too small", "spec.n"),
            invalid("Invalid value: \"x\": failed rule: self == 'a'", "spec.s"));
  }

  @Test
  void reasonAndFieldPath_areUsed() {
    MapNode spec =
        withRules(
            object("a", type("integer"), "b", mapOf(type("string"))),
            map("rule", "false", "reason", "FieldValueRequired", "fieldPath", ".a"),
            map("rule", "false", "reason", "FieldValueForbidden", "fieldPath", ".b['x.y']"),
            map("rule", "false", "reason", "FieldValueDuplicate", "message", "m"));

    assertThat(causes(object("spec", spec), map("spec", map("a", 1))))
        .containsExactly(
            FieldCause.required("spec.a", "failed rule: false"),
            FieldCause.forbidden("spec.b[x.y]", "failed rule: false"),
            new FieldCause("FieldValueDuplicate", "Duplicate value", "spec"));
  }

  @Test
  void messageExpression_isUsed_unlessItHasNoValue() {
    MapNode schema =
        withRules(
            object("a", type("integer"), "m", mapOf(type("string"))),
            rule("false", "messageExpression", "'a is ' + string(self.a)"),
            map("rule", "false", "message", "other", "messageExpression", "self.m['x']"),
            rule("false", "messageExpression", "'  '"),
            rule("false", "messageExpression", "'two\\nlines'"));

    assertThat(causes(schema, map("a", 7, "m", map())))
        .extracting(FieldCause::message)
        .containsExactly(
            "Invalid value: a is 7",
            "Invalid value: other",
            "Invalid value: failed rule: false",
            "Invalid value: failed rule: false");
  }

  @Test
  void messageExpression_seesTheOptionalOldValueOfItsRule() {
    MapNode schema =
        object(
            "n",
            withRules(
                type("integer"),
                map(
                    "rule",
                    "oldSelf.hasValue() && self == oldSelf.value()",
                    "messageExpression",
                    "oldSelf.hasValue() ? 'was ' + string(oldSelf.value()) : 'was not there'",
                    "optionalOldSelf",
                    true)));

    assertThat(causes(schema, map("n", 2), map("n", 1)))
        .extracting(FieldCause::message)
        .containsExactly("Invalid value: 2: was 1");
    assertThat(causes(schema, map("n", 2), null))
        .extracting(FieldCause::message)
        .containsExactly("Invalid value: 2: was not there");
  }

  @Test
  void transitionRules_areForUpdates() {
    MapNode schema =
        object(
            "n", withRules(type("integer"), rule("self >= oldSelf")),
            "o",
                withRules(
                    type("integer"),
                    rule(
                        "oldSelf.hasValue() ? self == oldSelf.value() : self == 0",
                        "optionalOldSelf",
                        true)),
            "pairs",
                mapList(
                    object(
                        "k",
                        type("string"),
                        "v",
                        withRules(type("integer"), rule("self == oldSelf"))),
                    "k"),
            "atomic", list(withRules(type("integer"), rule("self >= 0"))));
    MapNode old =
        map(
            "n", 5,
            "o", 3,
            "pairs", List.of(map("k", "a", "v", 1), map("k", "b", "v", 2)));
    MapNode changed =
        map(
            "n",
            4,
            "o",
            4,
            "pairs",
            List.of(map("k", "b", "v", 3), map("k", "c", "v", 9), map("k", "a", "v", 1)));

    assertThat(causes(schema, map("n", 1, "o", 0))).isEmpty();
    assertThat(causes(schema, map("o", 1))).extracting(FieldCause::field).containsExactly("o");
    assertThat(causes(schema, old, old)).isEmpty();
    assertThat(causes(schema, changed, old))
        .extracting(FieldCause::field)
        .containsExactly("n", "o", "pairs[0].v");
  }

  @Test
  void failuresOfUnchangedParts_areWarnings() {
    MapNode part = withRules(object("x", type("integer")), rule("self.x > 0"));
    MapNode schema = object("a", part, "b", part, "list", list(part), "keyed", mapList(part, "x"));
    MapNode old =
        map(
            "a", map("x", 0),
            "b", map("x", 0),
            "list", List.of(map("x", 0)),
            "keyed", List.of(map("x", 0), map("x", 1)));
    MapNode changed =
        old.with("b", map("x", -1))
            .with("keyed", RuleSamples.node(List.of(map("x", 2), map("x", 0))));

    Findings found = validate(schema, changed, old);

    assertThat(found.causes()).extracting(FieldCause::field).containsExactly("b");
    assertThat(found.warnings())
        .containsExactlyInAnyOrder(
            "a: Invalid value: failed rule: self.x > 0",
            "list[0]: Invalid value: failed rule: self.x > 0",
            "keyed[1]: Invalid value: failed rule: self.x > 0");
    assertThat(validate(schema, changed, null).warnings()).isEmpty();
  }

  @Test
  void transitionRules_areNotRatcheted() {
    MapNode schema = object("n", withRules(type("integer"), rule("self > oldSelf")));

    Findings found = validate(schema, map("n", 1), map("n", 1));

    assertThat(found.causes()).hasSize(1);
    assertThat(found.warnings()).isEmpty();
  }

  @Test
  void rulesOfAllOf_areEvaluated() {
    MapNode schema =
        object("n", type("integer"))
            .with(
                "allOf",
                RuleSamples.node(
                    List.of(
                        map("properties", map("n", withRules(map(), rule("self > 1")))),
                        withRules(map(), rule("self.n > 2")))));

    assertThat(causes(schema, map("n", 1)))
        .extracting(FieldCause::field)
        .containsExactly("n", "<nil>");
  }

  @Test
  void nullValues_haveNoRules() {
    MapNode schema =
        object("s", withRules(map("type", "string", "nullable", true), rule("self == 'a'")));

    assertThat(causes(schema, map("s", Node.Null.NULL))).isEmpty();
    assertThat(causes(schema, map("s", "b"))).hasSize(1);
  }

  @Test
  void expensiveRule_endsTheEvaluation() {
    MapNode schema =
        object(
            "list",
            withRules(
                list(type("integer")),
                rule("self.all(x, self.all(y, self.all(z, x + y + z < 3000)))"),
                rule("false")));

    assertThat(causes(schema, map("list", java.util.Collections.nCopies(300, 1))))
        .containsExactly(
            invalid(
                "Invalid value: \"array\": 'operation cancelled: actual cost limit exceeded': no"
                    + " further validation rules will be run due to call cost exceeds limit for"
                    + " rule: self.all(x, self.all(y, self.all(z, x + y + z < 3000)))",
                "list"));
  }

  @Test
  void budgetOfTheObject_endsTheEvaluation() {
    MapNode schema =
        withRules(object("i", type("integer")), rule("self.i > 0"), rule("self.i > 1"));

    assertThat(SchemaRules.of(StructuralSchema.of(schema)).validate(map("i", 0), null, 4).causes())
        .containsExactly(
            invalid("Invalid value: failed rule: self.i > 0", "<nil>"),
            invalid(
                "Invalid value: \"object\": validation failed due to running out of cost budget, no"
                    + " further validation rules will be run",
                "<nil>"));
  }

  @Test
  void equalSchemas_shareTheirRules() {
    MapNode schema = withRules(object("shared", type("integer")), rule("self.shared > 0"));

    assertThat(SchemaRules.of(StructuralSchema.of(schema)))
        .isSameAs(
            SchemaRules.of(
                StructuralSchema.of(MapNode.copyOf(java.util.Map.of("x", schema)).map("x"))));
    assertThat(SchemaRules.of(StructuralSchema.of(object("a", type("integer")))).isEmpty())
        .isTrue();
  }

  @Test
  void hostileRules_areRefusedOrBounded() {
    List<String> rules =
        List.of(
            "(".repeat(5_000) + "true" + ")".repeat(5_000),
            "!".repeat(50_000) + "true",
            "true || ".repeat(200_000) + "true",
            "1 + ".repeat(20_000) + "1 == 1",
            "[".repeat(20_000),
            "self.i.".repeat(10_000) + "x == 1",
            "'" + "x".repeat(1 << 20) + "' == 'a'");
    for (String rule : rules) {
      // what matters is that it ends with an answer
      assertThat(causes(withRules(EVERYTHING, rule(rule)), VALUE).size())
          .as(rule.substring(0, 20))
          .isBetween(0, 1);
    }
  }

  @Test
  void textThatDoublesItself_isTooExpensive() {
    StringBuilder rule = new StringBuilder("optional.of(dyn(self.s))");
    for (int i = 0; i < 40; i++) {
      rule.append(".optMap(x, x + x)");
    }
    rule.append(".hasValue()");

    assertThat(causes(withRules(EVERYTHING, rule(rule.toString(), "message", "m")), VALUE))
        .extracting(FieldCause::message)
        .containsExactly(
            "Invalid value: \"object\": 'operation cancelled: actual cost limit exceeded': no"
                + " further validation rules will be run due to call cost exceeds limit for rule:"
                + " m");
  }

  private static FieldCause invalid(String message, String field) {
    return new FieldCause("FieldValueInvalid", message, field);
  }

  private static List<FieldCause> causes(MapNode schema, MapNode object) {
    return causes(schema, object, null);
  }

  private static List<FieldCause> causes(MapNode schema, MapNode object, @Nullable MapNode old) {
    return validate(schema, object, old).causes();
  }

  private static Findings validate(MapNode schema, MapNode object, @Nullable MapNode old) {
    return SchemaRules.of(StructuralSchema.of(schema)).validate(object, old);
  }
}
