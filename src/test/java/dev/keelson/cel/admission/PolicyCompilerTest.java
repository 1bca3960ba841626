package dev.keelson.cel.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.cel.admission.Activation.Inputs;
import dev.keelson.cel.admission.Activation.RequestResource;
import dev.keelson.cel.admission.PolicyCompiler.Sees;
import dev.keelson.cel.library.CelAuthorizer;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.TreeJson;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyCompilerTest {

  private static final Set<Sees> MUTATION = Set.of(Sees.PARAMS, Sees.AUTHORIZER, Sees.PATCH_TYPES);
  private static final Set<Sees> CONDITION = Set.of(Sees.PARAMS, Sees.AUTHORIZER);

  private final PolicyCompiler compiler = PolicyCompiler.forPolicy();

  private static Node read(String text) {
    return TreeJson.read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static MapNode json(String text) {
    return (MapNode) read(text);
  }

  private Outcome evaluated(PolicyExpression expression) throws OutOfBudgetException {
    return evaluated(expression, Budget.POLICY);
  }

  private Outcome evaluated(PolicyExpression expression, long budget) throws OutOfBudgetException {
    return activation().evaluate(expression, new Budget(budget));
  }

  private Activation activation() {
    CelAuthorizer authorizer =
        check ->
            new CelAuthorizer.Decision(
                check.verb().equals("get") && check.resource().equals("pods"), "asked", "");
    Inputs inputs =
        new Inputs(
            json("{\"metadata\":{\"name\":\"x\"},\"spec\":{\"replicas\":3}}"),
            null,
            () -> json("{\"operation\":\"CREATE\",\"userInfo\":{\"username\":\"eve\"}}"),
            () -> null,
            authorizer,
            new RequestResource("", "pods", "", "ns", "x"));
    return new Activation(inputs, null, compiler.variables());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "object.spec.replicas == 3",
        "oldObject == null",
        "request.operation == 'CREATE'",
        "request.userInfo.username == 'eve'",
        "!has(request.userInfo.uid)",
        "namespaceObject == null",
        "params == null",
        "authorizer.group('').resource('pods').check('get').allowed()",
        "authorizer.requestResource.check('get').allowed()",
        "!authorizer.requestResource.check('create').allowed()",
      })
  void compile_aCondition_seesTheInputs(String text) throws Exception {
    PolicyExpression expression = compiler.compile(text, ResultType.BOOL, CONDITION);

    assertThat(expression.error()).isEmpty();
    assertThat(evaluated(expression)).isEqualTo(new Outcome(true, ""));
  }

  @Test
  void variable_isEvaluatedOnceAndSeenByLaterOnes() throws Exception {
    assertThat(compiler.variable("a", "object.spec.replicas", CONDITION).error()).isEmpty();
    assertThat(compiler.variable("b", "variables.a + 1", CONDITION).error()).isEmpty();
    PolicyExpression expression =
        compiler.compile("variables.b + variables.b == 8", ResultType.BOOL, CONDITION);

    assertThat(evaluated(expression).isTrue()).isTrue();
  }

  @Test
  void variable_beforeItIsDeclared_isUndefined() {
    PolicyExpression expression =
        compiler.compile("variables.later == 1", ResultType.BOOL, CONDITION);

    assertThat(expression.error()).contains("undefined field 'later'");
  }

  @Test
  void variable_hasTheTypeOfItsExpression() {
    assertThat(compiler.variable("text", "'a'", CONDITION).error()).isEmpty();

    assertThat(compiler.compile("variables.text == 1", ResultType.BOOL, CONDITION).error())
        .contains("found no matching overload for '_==_' applied to '(string, int)'");
  }

  @Test
  void variable_thatFails_namesIt() throws Exception {
    assertThat(compiler.variable("bad", "object.missing", CONDITION).error()).isEmpty();
    PolicyExpression expression = compiler.compile("variables.bad", ResultType.ANY, CONDITION);

    assertThat(evaluated(expression).error())
        .isEqualTo(
            "expression 'variables.bad' resulted in error: composited variable \"bad\" fails to"
                + " evaluate: no such key: missing");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "BOOL; object.x; must evaluate to bool but got dyn",
        "TEXT; object.data.x; must evaluate to string but got dyn",
        "TEXT_OR_NULL; 1; must evaluate to one of [string null_type] but got int",
        "OBJECT; Object.spec{}; must evaluate to Object but got Object.spec",
        "PATCH; [Object{}]; must evaluate to list(JSONPatch) but got list(Object)",
        "PATCH; []; must evaluate to list(JSONPatch) but got list(dyn)",
      })
  void compile_anotherType_tellsIt(ResultType type, String text, String problem) {
    assertThat(compiler.compile(text, type, MUTATION).error()).isEqualTo(problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "Object{}; {}",
        "Object{spec: Object.spec{replicas: object.spec.replicas + 1}};"
            + " {\"spec\":{\"replicas\":4}}",
        "Object{metadata: Object.metadata{labels: {'a': 'b'}}};"
            + " {\"metadata\":{\"labels\":{\"a\":\"b\"}}}",
        "Object{spec: Object.spec{list: [Object.spec.list{name: 'a'}]}};"
            + " {\"spec\":{\"list\":[{\"name\":\"a\"}]}}",
        "Object{spec: Object.spec{?a: optional.none(), ?b: optional.of(1)}}; {\"spec\":{\"b\":1}}",
        "Object{spec: object.spec}; {\"spec\":{\"replicas\":3}}",
      })
  void compile_anObject_isConstructed(String text, String wanted) throws Exception {
    PolicyExpression expression = compiler.compile(text, ResultType.OBJECT, MUTATION);

    assertThat(expression.error()).isEmpty();
    assertThat(evaluated(expression).node()).isEqualTo(json(wanted));
  }

  @Test
  void compile_aPatch_isConstructed() throws Exception {
    PolicyExpression expression =
        compiler.compile(
            "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b~c'),"
                + " value: {'has': string(has(JSONPatch{}.op)), 'op': JSONPatch{op: 'x'}.op,"
                + " 'same': string(JSONPatch{op: 'a'} == JSONPatch{op: 'a'})}}]",
            ResultType.PATCH,
            MUTATION);

    assertThat(expression.error()).isEmpty();
    assertThat(evaluated(expression).node())
        .isEqualTo(
            read(
                "[{\"op\":\"add\",\"path\":\"/metadata/labels/a~1b~0c\","
                    + "\"value\":{\"has\":\"false\",\"op\":\"x\",\"same\":\"true\"}}]"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "JSONPatch{op: 1}; expected type of field 'op' is 'string' but provided type is 'int'",
        "JSONPatch{other: 1}; undefined field 'other'",
        "Other{}; undeclared reference to 'Other'",
      })
  void compile_aWrongObject_isRefused(String text, String problem) {
    assertThat(compiler.compile(text, ResultType.ANY, MUTATION).error()).contains(problem);
  }

  @Test
  void compile_withoutPatchTypes_doesNotKnowThem() {
    assertThat(compiler.compile("Object{}", ResultType.ANY, CONDITION).error())
        .contains("undeclared reference to 'Object'");
    assertThat(compiler.compile("jsonpatch.escapeKey('a')", ResultType.ANY, CONDITION).error())
        .contains("undeclared reference to 'jsonpatch'");
  }

  @Test
  void compile_forConditions_hasNoVariables() {
    assertThat(
            PolicyCompiler.forConditions()
                .compile("variables.a", ResultType.BOOL, CONDITION)
                .error())
        .contains("undeclared reference to 'variables'");
  }

  @Test
  void compile_withoutTheAuthorizer_doesNotKnowIt() {
    assertThat(compiler.compile("authorizer.path('/x')", ResultType.ANY, Set.of()).error())
        .contains("undeclared reference to 'authorizer'");
  }

  @Test
  void evaluate_overTheBudget_fails() {
    PolicyExpression expression =
        compiler.compile("object.spec.replicas == 3", ResultType.BOOL, CONDITION);

    assertThatThrownBy(() -> evaluated(expression, 2))
        .isInstanceOf(OutOfBudgetException.class)
        .hasMessage(
            "validation failed due to running out of cost budget, no further validation rules will"
                + " be run");
  }

  @Test
  void evaluate_overTheLimitOfAnExpression_isAnError() throws Exception {
    PolicyExpression expression =
        compiler.compile(
            "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b,"
                + " [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d,"
                + " [1,2,3,4,5,6,7,8,9,10].all(e, a*b*c*d*e > 0)))))",
            ResultType.BOOL,
            CONDITION);

    assertThat(evaluated(expression).error())
        .endsWith("resulted in error: operation cancelled: actual cost limit exceeded");
  }

  @Test
  void evaluate_aWrongExpression_tellsTheCompiler() throws Exception {
    PolicyExpression expression = compiler.compile("nothing", ResultType.BOOL, CONDITION);

    assertThat(evaluated(expression).error())
        .startsWith(
            "compilation error: compilation failed: ERROR: <input>:1:1: undeclared reference to"
                + " 'nothing' (in container '')");
    assertThat(evaluated(expression).node()).isEqualTo(Node.Null.NULL);
  }

  private MatchConditions.Verdict verdict(String... expressions) {
    java.util.List<MapNode> conditions = new java.util.ArrayList<>();
    for (String expression : expressions) {
      conditions.add(
          MapNode.of("name", Node.text("c" + conditions.size()))
              .with("expression", Node.text(expression)));
    }
    return MatchConditions.compile(conditions, compiler, CONDITION).evaluate(activation());
  }

  @Test
  void conditions_oneOfThemFalse_excludesInSpiteOfErrors() {
    assertThat(verdict("object.missing", "false"))
        .isEqualTo(new MatchConditions.Verdict.Excluded("c1", 1));
  }

  @Test
  void conditions_allTrue_match() {
    assertThat(verdict("true", "object.spec.replicas == 3"))
        .isEqualTo(new MatchConditions.Verdict.Matches());
  }

  @Test
  void conditions_withErrors_fail() {
    assertThat(verdict("true", "object.a", "object.b == 1"))
        .isEqualTo(
            new MatchConditions.Verdict.Failed(
                "[compilation error: must evaluate to bool but got dyn, expression 'object.b == 1'"
                    + " resulted in error: no such key: b]",
                2));
  }
}
