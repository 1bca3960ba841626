package dev.keelson.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.cel.ValueType.ListOf;
import dev.keelson.cel.ValueType.MapOf;
import dev.keelson.cel.ValueType.Simple;
import dev.keelson.cel.ValueType.Struct;
import dev.keelson.work.Turn;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Expected results: by the language definition of CEL. */
@Timeout(120)
class ExpressionTest {

  private static final Map<String, ValueType> VARIABLES =
      Map.of(
          "request",
          new Struct(
              "test.Request",
              Map.of(
                  "user",
                  Simple.TEXT,
                  "groups",
                  new ListOf(Simple.TEXT),
                  "target",
                  new Struct("test.Target", Map.of("verb", Simple.TEXT)))),
          "claims",
          new MapOf(Simple.ANY));
  private static final Environment ENVIRONMENT = new Environment(VARIABLES);

  private static final Map<String, Object> VALUES =
      Map.of(
          "request",
          Map.of("user", "ann", "groups", List.of("dev", "ops")),
          "claims",
          JsonValues.of(
              Map.of(
                  "sub",
                  "ann@example.org",
                  "age",
                  12L,
                  "roles",
                  List.of("b", "a"),
                  "deep",
                  Map.of("list", List.of(Map.of("k", true))),
                  "none",
                  Collections.singletonMap("x", null))));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "request.user == 'ann'",
        "has(request.user) && !has(request.target)",
        "!has(request.target) || request.target.verb == 'get'",
        "'ops' in request.groups && !('x' in request.groups)",
        "request.groups.exists(g, g.startsWith('d'))",
        "request.groups.map(g, 'p:' + g) == ['p:dev', 'p:ops']",
        "request.groups.filter(g, g != 'dev').size() == 1",
        "request.?target.?verb.orValue('none') == 'none'",
        "claims.sub.split('@')[1] == 'example.org'",
        "claims.sub.matches('^ann@')",
        "claims.sub.find('[a-z]+[.]org') == 'example.org'",
        "claims.sub.findAll('n') == ['n', 'n']",
        "claims.sub.findAll('n', 1) == ['n']",
        "claims.sub.lowerAscii().upperAscii().substring(0, 3) == 'ANN'",
        "claims.age > 11 && claims.age == 12 && claims.age < 12.5",
        "type(claims.age) == double",
        "claims.roles.all(r, r in ['a', 'b'])",
        "claims.deep.list[0].k",
        "claims.none.x == null",
        "has(claims.sub) && !has(claims.email)",
        "claims.?email.orValue('') == ''",
        "claims['sub'] == claims.sub",
        "['b', 'a'].join('-') == 'b-a'",
        "sets.contains(request.groups, ['ops'])",
        "![2, 1].isSorted() && [1, 2].isSorted() && ['a', 'b'].isSorted()",
        "[1, 2, 3].sum() == 6 && [1.5, 1.0].sum() == 2.5",
        "[2, 3, 1].max() == 3 && [2, 3, 1].min() == 1",
        "[2, 3, 2].indexOf(2) == 0 && [2, 3, 2].lastIndexOf(2) == 2 && [1].indexOf(5) == -1",
        "'abc'.indexOf('c') == 2",
        "duration('1h') > duration('30m')",
        "timestamp('2020-02-01T00:00:00Z').getFullYear() == 2020",
        "true || claims.missing == 'x'",
        "size(claims.sub) == 15 ? true : false"
      })
  void whatHolds_holds(String text) throws EvaluationException {
    assertThat(ENVIRONMENT.compile(text, Simple.BOOL).holds(VALUES)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "request.foo == 'a' | undefined field 'foo'",
        "request.target.foo == 'a' | undefined field 'foo'",
        "request.user + 1 == 2 | found no matching overload for '_+_'",
        "user == 'ann' | undeclared reference to 'user'",
        "request.user.nope() | undeclared reference to 'nope'",
        "request.user == | ERROR: <input>:1:16",
        "request.user.matches('(') | ERROR: <input>:1:22: invalid matches argument",
        "request.user.find('(') == '' | program instantiation failed: error parsing regexp",
        "duration('1y') == duration('1s') | ERROR: <input>:1:10: invalid duration argument",
        "request.user | must evaluate to bool",
        "request.groups | must evaluate to bool",
        "1 | must evaluate to bool"
      })
  void wrongExpression_isRefusedWithTheCompilersWords(String text, String why) {
    assertThatThrownBy(() -> ENVIRONMENT.compile(text, Simple.BOOL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "claims.missing == 'x'",
        "request.target.verb == 'get'",
        "1 / (size(request.groups) - 2) == 1",
        "claims.sub",
        "claims.roles[7] == 'a'",
        "dyn(request.user) > 3",
        "claims.sub.find(claims.sub + '(') == ''",
        "[].min() == 1"
      })
  void whatHasNoValue_isAnError(String text) {
    Expression expression = ENVIRONMENT.compile(text, Simple.BOOL);

    assertThatThrownBy(() -> expression.holds(VALUES)).isInstanceOf(EvaluationException.class);
  }

  @Test
  void textsAndLists_areRead() throws EvaluationException {
    assertThat(any("claims.roles").texts(VALUES)).containsExactly("b", "a");
    assertThat(any("claims.sub").texts(VALUES)).containsExactly("ann@example.org");
    assertThat(any("['a', '']").texts(VALUES)).containsExactly("a");
    assertThat(any("''").texts(VALUES)).isEmpty();
    assertThat(any("null").texts(VALUES)).isEmpty();
    assertThat(any("claims.none.x").texts(VALUES)).isEmpty();
    assertThat(any("'x:' + claims.sub").textValue(VALUES)).isEqualTo("x:ann@example.org");
    assertThatThrownBy(() -> any("claims.age").texts(VALUES))
        .isInstanceOf(EvaluationException.class)
        .hasMessage("the expression must return a string or a list of strings");
    assertThatThrownBy(() -> any("claims.roles").textValue(VALUES))
        .isInstanceOf(EvaluationException.class);
  }

  @Test
  void cost_isLimited_whateverSwallowsErrors() {
    Environment tight = new Environment(VARIABLES, 2_000);
    String list = Arrays.toString(new int[40]);
    String loops = list + ".all(x, " + list + ".all(y, x == y))";

    assertThatThrownBy(() -> tight.compile(loops, Simple.BOOL).holds(VALUES))
        .isInstanceOf(EvaluationException.class)
        .hasMessageContaining("cost limit exceeded");
    assertThatThrownBy(() -> tight.compile(loops + " || true", Simple.BOOL).holds(VALUES))
        .isInstanceOf(EvaluationException.class);
  }

  @Test
  void longTexts_costMoreThanShortOnes() throws EvaluationException {
    Environment tight = new Environment(VARIABLES, 2_000);
    Expression repeated = tight.compile("claims.sub + claims.sub != ''", Simple.BOOL);

    assertThat(repeated.holds(VALUES)).isTrue();
    assertThatThrownBy(
            () ->
                repeated.holds(
                    Map.of("request", Map.of(), "claims", Map.of("sub", "x".repeat(20_000)))))
        .isInstanceOf(EvaluationException.class)
        .hasMessageContaining("cost limit exceeded");
  }

  @Test
  void endlessLoops_end() {
    String list = Arrays.toString(new int[100]);
    String loops = "true";
    for (String name : List.of("a", "b", "c", "d")) {
      loops = list + ".all(" + name + ", " + loops + ")";
    }
    Expression expression = ENVIRONMENT.compile(loops, Simple.BOOL);

    assertThatThrownBy(() -> expression.holds(VALUES)).isInstanceOf(EvaluationException.class);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      delimiter = '|',
      value = {
        "claims.email | true",
        "has(claims.email) ? claims.sub : '' | true",
        "claims['email'] | true",
        "claims.?email.orValue('') | true",
        "[1].map(x, claims.email) | true",
        "claims.email_verified | false",
        "claims.sub.email | false",
        "'claims.email' | false"
      })
  void fields_thatAreLookedAt_areKnown(String text, boolean looks) {
    assertThat(any(text).looksAt("claims", "email")).isEqualTo(looks);
  }

  private static Expression any(String text) {
    return ENVIRONMENT.compile(text, Simple.ANY);
  }

  @Test
  void evaluation_endsWhenNobodyWaitsForItsResult() throws Exception {
    Environment environment = new Environment(Map.of("list", new ListOf(Simple.TEXT)));
    Expression slow =
        environment.compile(
            "list.all(a, list.all(b, list.all(c, a != '' || b != '' || c != '')))", Simple.BOOL);
    Map<String, Object> values = Map.of("list", Collections.nCopies(10_000, "x"));

    assertThatThrownBy(() -> Turn.run(() -> true, () -> evaluated(slow, values)))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT));
  }

  private static Object evaluated(Expression expression, Map<String, Object> values) {
    try {
      return expression.value(values);
    } catch (EvaluationException e) {
      throw new AssertionError("not ended by the request", e);
    }
  }
}
