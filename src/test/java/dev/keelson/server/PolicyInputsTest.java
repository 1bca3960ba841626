package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.http.health.Metrics;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.AdmissionScope;
import dev.keelson.registry.Collection;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.subresource.Subresources;
import dev.keelson.request.Deadline;
import dev.keelson.request.UserInfo;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What expressions of policies see of a request. */
class PolicyInputsTest extends PoliciesContract {

  private static final UserInfo JANE =
      new UserInfo("jane", "7", List.of("devs", "system:masters"), Map.of("team", List.of("a")));

  private static final GroupVersionResource SCALERS =
      new GroupVersion("autoscaling", "v2").resource("horizontalpodautoscalers");

  private void policy(String resource, String group, List<String> expressions) {
    StringBuilder validations = new StringBuilder();
    for (String each : expressions) {
      validations.append("  - expression: >-\n      ").append(each).append('\n');
    }
    ApiObject policy =
        create(
            VALIDATING,
            "",
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n"
                + "metadata: {name: p}\nspec:\n  matchConstraints:\n    resourceRules:\n"
                + "    - {apiGroups: ['"
                + group
                + "'], apiVersions: [v1], operations: ['*'], resources: ["
                + resource
                + "]}\n  validations:\n"
                + validations);
    ApiObject bound =
        create(
            VALIDATING_BINDINGS,
            "",
            "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding,"
                + " metadata: {name: b}, spec: {policyName: p, validationActions: [Deny]}}");
    assertThat(policy.meta().name()).isNotEqualTo(bound.meta().name());
  }

  private static String on(String operation, String expression) {
    return "request.operation != '" + operation + "' || (" + expression + ")";
  }

  @Test
  void expressions_seeTheRequestItsObjectsAndTheirNamespace() {
    policy(
        "configmaps",
        "",
        List.of(
            "namespaceObject.metadata.name == 'default'",
            "namespaceObject.metadata.labels['kubernetes.io/metadata.name'] == 'default'",
            "namespaceObject.status.phase == 'Active'",
            "!has(namespaceObject.metadata.deletionTimestamp)",
            "request.kind.group == '' && request.kind.version == 'v1'",
            "request.kind.kind == 'ConfigMap' && request.requestKind.kind == 'ConfigMap'",
            "request.resource.resource == 'configmaps'",
            "request.requestResource.version == 'v1'",
            "!has(request.subResource) && !has(request.requestSubResource)",
            "request.namespace == 'default' && request.name == 'a'",
            "!request.dryRun",
            on("CREATE", "oldObject == null && object.metadata.name == 'a'"),
            on("CREATE", "request.userInfo.username == 'jane' && request.userInfo.uid == '7'"),
            on("CREATE", "'devs' in request.userInfo.groups"),
            on("CREATE", "request.userInfo.extra['team'] == ['a']"),
            on("CREATE", "request.options.kind == 'CreateOptions'"),
            on("CREATE", "object.kind == 'ConfigMap' && object.apiVersion == 'v1'"),
            on("CREATE", "object.metadata.?generation.orValue(0) >= 0"),
            on("CREATE", "object.metadata.creationTimestamp != ''"),
            on("UPDATE", "object.data.x == 'z' && oldObject.data.x == 'y'"),
            on("UPDATE", "object.metadata.uid == oldObject.metadata.uid"),
            on("UPDATE", "request.options.kind == 'UpdateOptions'"),
            on("DELETE", "object == null && oldObject.data.x == 'z'"),
            on("DELETE", "request.options.kind == 'DeleteOptions'")));

    ApiObject made = create(MAPS, "default", object(map("a", "y")), JANE);
    assertThat(made.meta().name()).isEqualTo("a");
    assertThat(
            server
                .client()
                .change(
                    MAPS, "default", "a", now -> now.with("data", MapNode.of("x", Node.text("z")))))
        .isPresent();
    server.client().delete(MAPS, "default", "a", new DeleteRequest("", "", Dependents.DEFAULT));
    assertThat(server.client().get(MAPS, "default", "a")).isEmpty();
  }

  /** As in Kubernetes, where the conditions of policies are evaluated as those of webhooks. */
  @Test
  void conditions_seeTheResourceOfTheRequest_andNoNamespace() {
    String scaler =
        "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: a}, spec:"
            + " {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: d}}}";
    String spec =
        "  matchConstraints:\n    resourceRules:\n"
            + "    - {apiGroups: [autoscaling], apiVersions: [v1], operations: [CREATE],"
            + " resources: [horizontalpodautoscalers]}\n  matchConditions:\n"
            + "  - {name: own, expression: \"request.resource.version == 'v2'"
            + " && request.kind.version == 'v1' && namespaceObject == null\"}\n";
    ApiObject policy =
        create(
            VALIDATING,
            "",
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\n"
                + "metadata: {name: p}\nspec:\n"
                + spec
                + "  validations:\n"
                + "  - {expression: \"request.resource.version == 'v2'\", message: wrong}\n"
                + "  - {expression: \"namespaceObject == null\", message: none}\n");
    ApiObject bound =
        create(
            VALIDATING_BINDINGS,
            "",
            "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding,"
                + " metadata: {name: b}, spec: {policyName: p, validationActions: [Warn]}}");
    assertThat(policy.meta().name()).isNotEqualTo(bound.meta().name());
    mutating(
        "m",
        spec
            + "  mutations:\n  - patchType: JSONPatch\n    jsonPatch: {expression: \"[JSONPatch{op:"
            + " 'add', path: '/metadata/labels', value: {'seen': request.resource.version}}]\"}\n");

    ApiObject made = create(SCALERS, "default", object(scaler), JANE);

    assertThat(made.meta().labels()).containsEntry("seen", "v1");
    assertThat(warnings)
        .containsExactly(
            "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': wrong",
            "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': none");
  }

  @Test
  void expressions_seeScales() {
    ApiObject deployment =
        create(
            DEPLOYMENTS,
            "default",
            "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: 1,"
                + " selector: {matchLabels: {app: w}}, template: {metadata: {labels: {app: w}},"
                + " spec: {containers: [{name: w, image: w}]}}}}");
    assertThat(deployment.meta().name()).isEqualTo("d");
    policy(
        "deployments/scale",
        "apps",
        List.of(
            "request.operation == 'UPDATE' && request.name == 'd'",
            "request.subResource == 'scale' && request.requestSubResource == 'scale'",
            "request.kind.kind == 'Scale' && request.kind.group == 'autoscaling'",
            "request.resource.resource == 'deployments' && request.resource.group == 'apps'",
            "object.kind == 'Scale' && object.spec.replicas == oldObject.spec.replicas + 2",
            "authorizer.requestResource.check('update').allowed() || true",
            "request.dryRun"));
    WriteOptions dry =
        new WriteOptions(
            true,
            "test",
            JANE,
            warnings::add,
            () -> {},
            new AdmissionScope(
                Verb.UPDATE, true, MapNode.EMPTY, annotations::putIfAbsent, Deadline.none()));

    Collection deployments = collection(DEPLOYMENTS, "default");
    Subresources actions =
        Subresources.of(
            server.registry(),
            new SchemaModule()
                .codec(
                    server.catalog(),
                    new SchemaModule().schemas(),
                    opened.options(),
                    () -> null,
                    new Metrics()),
            server.catalog(),
            InstantSource.system());
    ApiObject scale = server.registry().served(actions.scales().get(deployments, "d"));

    ApiObject scaled =
        server
            .registry()
            .served(
                actions
                    .scales()
                    .replace(
                        deployments,
                        "d",
                        scale.with("spec", MapNode.of("replicas", new Node.Int(3))),
                        dry));

    assertThat(scaled.root().map("spec").get("replicas")).isEqualTo(new Node.Int(3));
  }
}
