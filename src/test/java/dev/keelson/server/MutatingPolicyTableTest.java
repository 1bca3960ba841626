package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Mutating policies, in the manner of Kubernetes' mutatingadmissionpolicy_test.go: one row after
 * another on one server.
 */
@Timeout(120)
class MutatingPolicyTableTest extends PoliciesContract {

  private static final GroupVersionResource ENDPOINTS = GroupVersion.CORE_V1.resource("endpoints");
  private static final DeleteRequest DELETE = new DeleteRequest("", "", Dependents.DEFAULT);

  /**
   * A policy and what it makes of Endpoints with the annotation {@code count: '1'} and the label
   * {@code env: test}.
   *
   * @param spec more fields of the policy
   * @param annotations those of the result
   */
  private record Row(String spec, List<String> mutations, Map<String, String> annotations) {}

  private static final List<Row> ROWS =
      List.of(
          new Row(
              "",
              List.of("Object{metadata: Object.metadata{annotations: {\"a\": \"b\"}}}"),
              Map.of("count", "1", "a", "b")),
          new Row("", List.of("Object{}"), Map.of("count", "1")),
          new Row(
              "",
              List.of(
                  "object.metadata.?labels[\"env\"] == optional.of(\"test\") ? Object{metadata:"
                      + " Object.metadata{annotations: {\"a\": \"b\"}}} : Object{}"),
              Map.of("count", "1", "a", "b")),
          new Row(
              "",
              List.of(
                  "Object{metadata: Object.metadata{annotations: {?\"count\":"
                      + " optional.of(string(int(object.metadata.annotations[\"count\"]) + 1)),"
                      + " ?\"none\": optional.none()}}}"),
              Map.of("count", "2")),
          new Row(
              "  variables:\n  - {name: x, expression: '\"x1\" + \"y\"'}\n"
                  + "  - {name: z, expression: 'variables.x.replace(\"1\", \"2\")'}\n",
              List.of(
                  "Object{metadata: Object.metadata{annotations: {\"x\": variables.x}}}",
                  "[JSONPatch{op: \"test\", path: \"/metadata/annotations\", value: {\"count\":"
                      + " \"1\", \"x\": variables.x}}, JSONPatch{op: \"add\", path:"
                      + " \"/metadata/annotations/z\", value: variables.z},]",
                  "Object{metadata: Object.metadata{annotations: {\"last\": \"yes\"}}}"),
              Map.of("count", "1", "x", "x1y", "z", "x2y", "last", "yes")),
          new Row(
              "  matchConditions:\n  - {name: c, expression: 'object.metadata.?labels[\"env\"] =="
                  + " optional.of(\"prod\")'}\n",
              List.of("Object{metadata: Object.metadata{annotations: {\"a\": \"b\"}}}"),
              Map.of("count", "1")),
          new Row(
              "  failurePolicy: Ignore\n",
              List.of("Object{spec: Object.spec{unknown: \"x\"}}"),
              Map.of("count", "1")));

  private void policy(Row row, String resources) {
    StringBuilder yaml =
        new StringBuilder("apiVersion: admissionregistration.k8s.io/v1\n")
            .append("kind: MutatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n")
            .append("  reinvocationPolicy: Never\n")
            .append(matching(resources, ""))
            .append(row.spec)
            .append("  mutations:\n");
    for (String mutation : row.mutations) {
      boolean list = mutation.startsWith("[");
      yaml.append("  - patchType: ")
          .append(list ? "JSONPatch" : "ApplyConfiguration")
          .append(list ? "\n    jsonPatch:\n" : "\n    applyConfiguration:\n")
          .append("      expression: >-\n        ")
          .append(mutation)
          .append('\n');
    }
    ApiObject made = create(MUTATING, "", yaml.toString());
    ApiObject bound =
        create(
            MUTATING_BINDINGS,
            "",
            "{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingAdmissionPolicyBinding,"
                + " metadata: {name: b}, spec: {policyName: p}}");
    assertThat(made.meta().name()).isNotEqualTo(bound.meta().name());
  }

  @Test
  void endpoints_areMutatedAsInKubernetes() {
    int number = 0;
    for (Row row : ROWS) {
      policy(row, "endpoints");

      ApiObject made =
          create(
              ENDPOINTS,
              "default",
              "{apiVersion: v1, kind: Endpoints, metadata: {name: e%d, annotations: {count: '1'}, labels: {env: test}}}"
                  .formatted(number++));

      assertThat(made.meta().annotations()).as(row.mutations.toString()).isEqualTo(row.annotations);
      server.client().delete(MUTATING_BINDINGS, "", "b", DELETE);
      server.client().delete(MUTATING, "", "p", DELETE);
    }
  }

  @Test
  void status_isMutatedThroughItsSubresource() {
    policy(
        new Row(
            "",
            List.of(
                "Object{status: Object.status{conditions: [Object.status.conditions{type:"
                    + " \"NamespaceDeletionContentFailure\", message: \"mutated\"}]}}"),
            Map.of()),
        "namespaces/status");
    ApiObject unused =
        create(NAMESPACES, "", "{apiVersion: v1, kind: Namespace, metadata: {name: space}}");
    MapNode condition = object("{type: NamespaceDeletionContentFailure, status: Unknown}").root();

    Optional<ApiObject> changed =
        server
            .client()
            .changeStatus(
                NAMESPACES,
                "",
                "space",
                current ->
                    current.with(
                        "status",
                        current
                            .root()
                            .map("status")
                            .with("conditions", new Node.Items(List.of(condition)))));

    List<MapNode> conditions = changed.orElseThrow().root().map("status").maps("conditions");
    assertThat(conditions).hasSize(1);
    assertThat(conditions.getFirst().text("message")).isEqualTo("mutated");
    assertThat(conditions.getFirst().text("status")).isEqualTo("Unknown");
  }
}
