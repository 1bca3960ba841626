package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The match conditions of policies are counted as those of webhooks are. */
class PolicyConditionMetricsTest extends PoliciesContract {

  private void policy(
      GroupVersionResource policies, GroupVersionResource bindings, String name, String spec) {
    ApiObject policy =
        create(
            policies,
            "",
            """
            metadata: {name: NAME}
            spec:
              failurePolicy: Ignore
              matchConstraints:
                resourceRules:
                - {apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps], resourceNames: [b]}
              matchConditions:
              - {name: unknown, expression: object.data.x.y == 'z'}
              - {name: named, expression: object.metadata.name == 'a'}
            """
                    .replace("NAME", name)
                + spec);
    String actions = bindings.equals(VALIDATING_BINDINGS) ? ", validationActions: [Deny]" : "";
    ApiObject binding =
        create(
            bindings,
            "",
            "{metadata: {name: " + name + "}, spec: {policyName: " + name + actions + "}}");
    assertThat(binding.meta().name()).isEqualTo(policy.meta().name());
  }

  private List<String> measured(String name) {
    return server
        .metrics()
        .answer()
        .body()
        .lines()
        .filter(line -> line.startsWith("apiserver_admission_match_condition_" + name))
        .filter(line -> line.contains("policy"))
        .map(line -> line.replace(" 1.0", " 1"))
        .toList();
  }

  @Test
  void conditionsOfBothKinds_areCountedByPolicy() {
    policy(VALIDATING, VALIDATING_BINDINGS, "checks", "  validations: [{expression: \"true\"}]\n");
    policy(
        MUTATING,
        MUTATING_BINDINGS,
        "changes",
        "  reinvocationPolicy: Never\n"
            + "  mutations: [{patchType: JSONPatch, jsonPatch: {expression: \"[JSONPatch{op:"
            + " 'test', path: '/kind', value: 'x'}]\"}}]\n");

    ApiObject unused = create(MAPS, "default", map("b", "1"));

    for (String policy : List.of("checks", "changes")) {
      // Kubernetes gives mutating policies the type of validating ones
      String labels =
          "kind=\"policy\",name=\"" + policy + "\",operation=\"CREATE\",type=\"validate\"} 1";
      assertThat(measured("exclusions_total"))
          .contains("apiserver_admission_match_condition_exclusions_total{" + labels);
      assertThat(measured("evaluation_errors_total"))
          .contains("apiserver_admission_match_condition_evaluation_errors_total{" + labels);
      assertThat(measured("evaluation_seconds_count"))
          .contains("apiserver_admission_match_condition_evaluation_seconds_count{" + labels);
    }
  }
}
