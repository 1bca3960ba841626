package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.Eventually;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The type checks of Kubernetes' e2e/apimachinery/validatingadmissionpolicy.go, in a server. */
class PolicyTypeChecksTest extends PoliciesContract {

  private static final String MESSAGE = "'wants replicas > 1, got ' + object.spec.replicas";

  private MapNode checked(String expression, String messageExpression) {
    ApiObject policy =
        create(
            VALIDATING,
            "",
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n"
                + "metadata: {name: p}\nspec:\n  matchConstraints:\n    resourceRules:\n"
                + "    - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE],"
                + " resources: [deployments]}\n  validations:\n  - expression: \""
                + expression
                + "\"\n    messageExpression: \""
                + messageExpression
                + "\"\n");
    assertThat(policy.meta().generation()).isEqualTo(1);
    Eventually.assertEventually(
        () -> assertThat(status().get("observedGeneration")).isEqualTo(new Node.Int(1)));
    return status();
  }

  private MapNode status() {
    return server.client().get(VALIDATING, "", "p").orElseThrow().root().map("status");
  }

  /** Clients wait for the field: empty, it says that the check has ended. */
  @Test
  void checkWithoutWarnings_isStoredAsAnEmptyObject() {
    MapNode status = checked("object.spec.replicas > 1", "'wants replicas > 1'");

    assertThat(status.get("typeChecking")).isEqualTo(MapNode.EMPTY);
  }

  @Test
  void wrongTypes_areWarningsOfTheStatus_andMessagesThatFailAreReplaced() {
    List<MapNode> warnings =
        Node.maps(
            checked("object.spec.replicas > 1", MESSAGE)
                .map("typeChecking")
                .items("expressionWarnings"));
    ApiObject bound =
        create(
            VALIDATING_BINDINGS,
            "",
            "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding,"
                + " metadata: {name: b}, spec: {policyName: p, validationActions: [Deny]}}");

    assertThat(bound.meta().name()).isEqualTo("b");
    assertThat(warnings)
        .singleElement()
        .satisfies(
            warning -> {
              assertThat(warning.text("fieldRef"))
                  .isEqualTo("spec.validations[0].messageExpression");
              assertThat(warning.text("warning"))
                  .contains("found no matching overload for '_+_' applied to '(string, int)'");
            });
    assertThat(refusal(DEPLOYMENTS, "default", deployment(1)).text())
        .endsWith("denied request: failed expression: object.spec.replicas > 1");
    assertThat(create(DEPLOYMENTS, "default", deployment(2)).meta().name()).isEqualTo("d");
  }

  @Test
  void everyExpression_hasItsOwnWarning() {
    assertThat(
            Node.maps(
                checked("object.spec.replicas > '1'", MESSAGE)
                    .map("typeChecking")
                    .items("expressionWarnings")))
        .extracting(warning -> warning.text("fieldRef"))
        .containsExactly("spec.validations[0].expression", "spec.validations[0].messageExpression");
  }

  private static String deployment(int replicas) {
    return "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: "
        + replicas
        + ", selector: {matchLabels: {app: w}}, template: {metadata: {labels: {app: w}},"
        + " spec: {containers: [{name: w, image: w}]}}}}";
  }
}
