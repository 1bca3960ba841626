package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.testing.Eventually;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Validating policies on namespaces, in the manner of Kubernetes'
 * validatingadmissionpolicy_test.go: one row after another on one server.
 */
@Timeout(120)
class ValidatingPolicyTableTest extends PoliciesContract {

  private static final DeleteRequest DELETE = new DeleteRequest("", "", Dependents.DEFAULT);
  private static final String PARAM_KIND = "  paramKind: {apiVersion: v1, kind: ConfigMap}\n";

  /**
   * A policy and a namespace.
   *
   * @param spec more fields of the policy
   * @param binding more fields of the binding
   * @param denial the end of the refusal; empty if the namespace is admitted
   */
  private record Row(String spec, String expression, String binding, String denial, Reason reason) {

    static Row denied(String spec, String expression, String denial) {
      return new Row(spec, expression, "", denial, Reason.INVALID);
    }

    static Row admitted(String spec, String expression) {
      return denied(spec, expression, "");
    }
  }

  private static final List<Row> ROWS =
      List.of(
          Row.admitted("", "object.metadata.name.startsWith('team-')"),
          Row.denied(
              "",
              "object.metadata.name.endsWith('-prod')",
              "failed expression: object.metadata.name.endsWith('-prod')"),
          Row.admitted("", "request.name == 'team-a'"),
          Row.admitted("", "namespaceObject == null"),
          Row.admitted("", "oldObject == null && request.operation == 'CREATE'"),
          Row.admitted("  failurePolicy: Ignore\n", "object.missing == 'x'"),
          Row.denied(
              "",
              "object.missing == 'x'",
              "expression 'object.missing == 'x'' resulted in error: no such key: missing"),
          // a paramKind without a paramRef: params is null
          Row.denied(
              PARAM_KIND,
              "object.metadata.name.startsWith(params.metadata.name)",
              "expression 'object.metadata.name.startsWith(params.metadata.name)' resulted in"
                  + " error: no such key: metadata"),
          Row.denied(
              PARAM_KIND,
              "has(params.metadata) && object.metadata.name == params.metadata.name",
              "failed expression: has(params.metadata) && object.metadata.name =="
                  + " params.metadata.name"),
          Row.denied(
              PARAM_KIND,
              "params != null && object.metadata.name == params.metadata.name",
              "failed expression: params != null && object.metadata.name == params.metadata.name"),
          Row.admitted(
              PARAM_KIND,
              "(has(params.metadata) && has(params.metadata.name)) || object.metadata.name =="
                  + " 'team-a'"),
          Row.admitted(
              PARAM_KIND, "(params != null && params.data.x == 'y') || request.name == 'team-a'"),
          // a paramRef without a paramKind is not looked at
          new Row(
              "",
              "false",
              ", paramRef: {name: none, parameterNotFoundAction: Deny}",
              "failed expression: false",
              Reason.INVALID),
          new Row(
              PARAM_KIND,
              "params.data.x == 'y'",
              ", paramRef: {name: p, namespace: default, parameterNotFoundAction: Deny}",
              "",
              Reason.INVALID),
          new Row(
              PARAM_KIND,
              "params.data.x == 'z'",
              ", paramRef: {name: p, namespace: default, parameterNotFoundAction: Deny}",
              "failed expression: params.data.x == 'z'",
              Reason.INVALID),
          new Row(
              PARAM_KIND,
              "params.kind.lowerAscii() == 'configmap' && params.apiVersion == 'v1'",
              ", paramRef: {name: p, namespace: default, parameterNotFoundAction: Deny}",
              "",
              Reason.INVALID),
          new Row(
              PARAM_KIND,
              "false",
              ", paramRef: {name: none, namespace: default, parameterNotFoundAction: Allow}",
              "",
              Reason.INVALID),
          new Row(
              PARAM_KIND,
              "true",
              ", paramRef: {name: none, namespace: default, parameterNotFoundAction: Deny}",
              "failed to configure binding: no params found for policy binding with `Deny`"
                  + " parameterNotFoundAction",
              Reason.INVALID),
          // what has no fields has no keys
          Row.denied(
              "",
              "object.metadata.name.more == 'x'",
              "expression 'object.metadata.name.more == 'x'' resulted in error: no such key: more"),
          Row.admitted("", "!has(object.metadata.name.more)"),
          Row.admitted("", "!object.metadata.name.?more.hasValue()"),
          // every parameter that a selector finds must accept
          new Row(
              PARAM_KIND,
              "params.data.x == 'y'",
              ", paramRef: {selector: {matchLabels: {p: '1'}}, namespace: default,"
                  + " parameterNotFoundAction: Deny}",
              "failed expression: params.data.x == 'y'",
              Reason.INVALID));

  private void policy(Row row) {
    String spec =
        "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy,"
            + " metadata: {name: p}, spec: {matchConstraints: {resourceRules: [{apiGroups: [''],"
            + " apiVersions: ['*'], operations: ['*'], resources: [namespaces]}]}}}";
    ApiObject bare = object(spec);
    ApiObject more =
        object(
            "spec:\n" + row.spec + "  validations: [{expression: \"" + row.expression + "\"}]\n");
    ApiObject policy =
        bare.with(
            "spec",
            more.root()
                .map("spec")
                .with("matchConstraints", bare.root().map("spec").map("matchConstraints")));
    ApiObject made = create(VALIDATING, "", policy, WriteOptions.SERVER);
    ApiObject bound =
        create(
            VALIDATING_BINDINGS,
            "",
            "{apiVersion: admissionregistration.k8s.io/v1, kind:"
                + " ValidatingAdmissionPolicyBinding, metadata: {name: b}, spec: {policyName: p,"
                + " validationActions: [Deny]"
                + row.binding
                + "}}");
    assertThat(made.meta().name()).isNotEqualTo(bound.meta().name());
  }

  @Test
  void namespaces_areDeniedAsInKubernetes() {
    for (String param : List.of("p: y", "q: x")) {
      String name = param.substring(0, 1);
      ApiObject unused =
          create(
              MAPS,
              "default",
              "{apiVersion: v1, kind: ConfigMap, metadata: {name: "
                  + name
                  + ", labels: {p: '1'}}, data: {x: '"
                  + param.substring(3)
                  + "'}}");
    }
    for (Row row : ROWS) {
      policy(row);
      String answer = "";
      Reason reason = row.reason;
      try {
        ApiObject made =
            create(NAMESPACES, "", "{apiVersion: v1, kind: Namespace, metadata: {name: team-a}}");
        assertThat(made.meta().name()).isEqualTo("team-a");
      } catch (ApiException e) {
        answer = e.text();
        reason = e.reason();
      }

      assertThat(answer)
          .as(row.expression)
          .isEqualTo(
              row.denial.isEmpty()
                  ? ""
                  : "namespaces \"team-a\" is forbidden: ValidatingAdmissionPolicy 'p' with"
                      + " binding 'b' denied request: "
                      + row.denial);
      assertThat(reason).as(row.expression).isEqualTo(row.reason);
      server.client().delete(VALIDATING_BINDINGS, "", "b", DELETE);
      server.client().delete(VALIDATING, "", "p", DELETE);
      if (answer.isEmpty()) {
        server.client().delete(NAMESPACES, "", "team-a", DELETE);
        Eventually.assertEventually(
            () -> assertThat(server.client().get(NAMESPACES, "", "team-a")).isEmpty());
      }
    }
  }
}
