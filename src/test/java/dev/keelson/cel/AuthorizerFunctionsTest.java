package dev.keelson.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cel.common.types.CelType;
import dev.keelson.cel.compile.CompilationException;
import dev.keelson.cel.compile.CompiledExpression;
import dev.keelson.cel.compile.ExpressionCompiler;
import dev.keelson.cel.compile.TypeDeclarations;
import dev.keelson.cel.library.AuthorizerFunctions;
import dev.keelson.cel.library.CelAuthorizer.Check;
import dev.keelson.cel.library.CelAuthorizer.Decision;
import dev.keelson.cel.plan.Frame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class AuthorizerFunctionsTest {

  private final List<Check> asked = new ArrayList<>();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "authorizer.path('/healthz').check('get').allowed() | Check[serviceAccount=null,"
            + " path=/healthz, group=, resource=, subresource=, namespace=, name=,"
            + " selectors=Selectors[field=, label=], verb=get]",
        "authorizer.group('apps').resource('deployments').subresource('scale').namespace('a')"
            + ".name('b').check('update').reason() == 'because' | Check[serviceAccount=null,"
            + " path=null, group=apps, resource=deployments, subresource=scale, namespace=a,"
            + " name=b, selectors=Selectors[field=, label=], verb=update]",
        "!authorizer.serviceAccount('ns', 'sa').group('').resource('pods').fieldSelector('a=b')"
            + ".labelSelector('c').check('list').errored() | Check[serviceAccount=ns/sa,"
            + " path=null, group=, resource=pods, subresource=, namespace=, name=,"
            + " selectors=Selectors[field=a=b, label=c], verb=list]"
      })
  void check_asksTheAuthorizer(String text, String check) throws CompilationException {
    assertThat(value(text)).isEqualTo(true);
    assertThat(asked).extracting(Check::toString).containsExactly(check);
  }

  @Test
  void errors_areShown() throws CompilationException {
    assertThat(value("authorizer.path('/').check('x').error()")).isEqualTo("");
  }

  @ParameterizedTest
  @CsvSource({"NS, sa, namespace", "ns, s_a, name", "a.b, sa, namespace"})
  void serviceAccount_withAWrongName_isAnError(String namespace, String name, String what) {
    String text =
        "authorizer.serviceAccount('" + namespace + "', '" + name + "').path('/').check('x')";

    assertThatThrownBy(() -> value(text)).hasMessage("Invalid service account " + what);
    assertThat(asked).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "authorizer.path(' ').check('get'), path",
    "authorizer.path('').check('get'), path",
    "authorizer.group('').resource('').check('get'), resource",
    "authorizer.group('apps').resource(' ').check('get'), resource"
  })
  void blankTarget_isAnError(String text, String what) {
    assertThatThrownBy(() -> value(text)).hasMessage(what + " must not be empty");
    assertThat(asked).isEmpty();
  }

  private Object value(String text) throws CompilationException {
    Map<String, CelType> variables = Map.of("authorizer", AuthorizerFunctions.TYPE);
    CompiledExpression expression =
        new ExpressionCompiler(new TypeDeclarations().provider(), variables).compile(text);
    Frame frame = new Frame(expression.plan().slots(), 1_000_000);
    frame.set(
        0,
        AuthorizerFunctions.value(
            check -> {
              asked.add(check);
              return new Decision(true, "because", "");
            }));
    return expression.plan().value(frame);
  }
}
