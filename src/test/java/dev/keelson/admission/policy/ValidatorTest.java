package dev.keelson.admission.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.admission.policy.Validator.Decision;
import dev.keelson.admission.policy.Validator.Evaluation;
import dev.keelson.cel.admission.Activation;
import dev.keelson.cel.admission.Activation.Inputs;
import dev.keelson.cel.admission.Activation.RequestResource;
import dev.keelson.cel.library.CelAuthorizer;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The cases of Kubernetes' validating/validator_test.go that no request shows. */
@Timeout(60)
class ValidatorTest {

  /** Stops at the limit of one expression, so that eleven of them use up the budget. */
  private static final String COSTLY =
      "object.xs.all(a, object.xs.all(b, object.xs.all(c, true))) ? 'many' : 'few'";

  private static MapNode validation(String expression, String message) {
    MapNode validation = MapNode.of("expression", Node.text(expression));
    return message.isEmpty()
        ? validation
        : validation.with("messageExpression", Node.text(message));
  }

  private static List<Decision> decisions(boolean failsClosed, List<MapNode> validations) {
    MapNode spec = MapNode.of("validations", new Node.Items(List.copyOf(validations)));
    MapNode object = MapNode.of("xs", new Node.Items(Collections.nCopies(120, new Node.Int(1))));
    CompiledPolicy policy = CompiledPolicy.of(spec);
    CelAuthorizer authorizer = check -> new CelAuthorizer.Decision(false, "", "");
    Inputs inputs =
        new Inputs(
            object,
            null,
            () -> MapNode.EMPTY,
            () -> null,
            authorizer,
            new RequestResource("", "configmaps", "", "default", "a"));
    Activation activation = new Activation(inputs, null, policy.variables());
    return Validator.validate(
            policy, policy.conditions().evaluate(activation), failsClosed, activation)
        .decisions();
  }

  private static List<MapNode> costlyMessages() {
    List<MapNode> validations = new ArrayList<>();
    validations.add(validation("true", ""));
    validations.addAll(Collections.nCopies(12, validation("false", COSTLY)));
    return validations;
  }

  @Test
  void messageExpression_thatFails_leavesTheExpressionAsMessage() {
    assertThat(decisions(true, List.of(validation("false", COSTLY))))
        .singleElement()
        .satisfies(
            decision -> {
              assertThat(decision.evaluation()).isEqualTo(Evaluation.DENY);
              assertThat(decision.message()).isEqualTo("failed expression: false");
            });
  }

  @Test
  void messageExpression_ofAValidationThatHolds_isNotEvaluated() {
    assertThat(decisions(true, Collections.nCopies(12, validation("true", COSTLY))))
        .hasSize(12)
        .extracting(Decision::evaluation)
        .containsOnly(Evaluation.ADMIT);
  }

  @Test
  void messageExpressions_beyondTheBudget_makeErrorsOfAllDecisions() {
    assertThat(decisions(true, costlyMessages()))
        .hasSize(13)
        .allSatisfy(
            decision -> {
              assertThat(decision.denies()).isTrue();
              assertThat(decision.evaluation()).isEqualTo(Evaluation.ERROR);
              assertThat(decision.message())
                  .startsWith(
                      "failed messageExpression: validation failed due to running out of cost"
                          + " budget");
            });
  }

  @Test
  void messageExpressions_beyondTheBudget_admitIfErrorsAreIgnored() {
    assertThat(decisions(false, costlyMessages()))
        .hasSize(13)
        .noneMatch(Decision::denies)
        .extracting(Decision::evaluation)
        .containsOnly(Evaluation.ERROR);
  }
}
