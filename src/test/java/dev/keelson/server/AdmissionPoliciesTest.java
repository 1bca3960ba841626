package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.WriteOptions;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Validating policies at work in a server. */
class AdmissionPoliciesTest extends PoliciesContract {

  @Test
  void validation_thatFails_deniesTheNextRequest() {
    validating(
        "short",
        "  validations:\n  - {expression: 'object.data.x.size() < 3'}\n",
        "  validationActions: [Deny]\n");

    ApiException refused = refusal(MAPS, "default", map("a", "long"));

    String message =
        "ValidatingAdmissionPolicy 'short' with binding 'short-binding' denied request: failed"
            + " expression: object.data.x.size() < 3";
    assertThat(refused.reason()).isEqualTo(Reason.INVALID);
    assertThat(refused.text()).isEqualTo("configmaps \"a\" is forbidden: " + message);
    assertThat(refused.details().causes()).containsExactly(new FieldCause("", message, ""));
    assertThat(create(MAPS, "default", map("a", "ok")).meta().name()).isEqualTo("a");
  }

  @Test
  void validation_withMessageExpressionAndReason_usesThem() {
    validating(
        "named",
        "  variables:\n  - {name: x, expression: object.data.x}\n"
            + "  validations:\n"
            + "  - {expression: \"variables.x == 'ok'\", reason: Forbidden, message: plain,\n"
            + "     messageExpression: \"'found ' + string(variables.x)\"}\n",
        "  validationActions: [Deny]\n");

    ApiException refused = refusal(MAPS, "default", map("a", "bad"));

    assertThat(refused.reason()).isEqualTo(Reason.FORBIDDEN);
    assertThat(refused.text()).endsWith("denied request: found bad");
  }

  @Test
  void validation_thatWarnsAndAudits_admits() {
    validating(
        "soft",
        "  validations:\n  - {expression: \"object.data.x == 'ok'\", message: never}\n"
            + "  auditAnnotations:\n  - {key: seen, valueExpression: object.metadata.name + '!'}\n"
                .replace("object.metadata.name + '!'", "\"string(object.metadata.name) + '!'\""),
        "  validationActions: [Warn, Audit]\n");

    assertThat(create(MAPS, "default", map("a", "bad")).meta().name()).isEqualTo("a");

    assertThat(warnings)
        .containsExactly(
            "Validation failed for ValidatingAdmissionPolicy 'soft' with binding 'soft-binding':"
                + " never");
    assertThat(annotations)
        .containsEntry("soft/seen", "a!")
        .containsEntry(
            "validation.policy.admission.k8s.io/validation_failure",
            "[{\"message\":\"never\",\"policy\":\"soft\",\"binding\":\"soft-binding\","
                + "\"expressionIndex\":0,\"validationActions\":[\"Warn\",\"Audit\"]}]");
  }

  @Test
  void failurePolicy_decidesAboutErrors() {
    validating(
        "open",
        "  failurePolicy: Ignore\n  validations:\n  - {expression: object.missing == 1}\n",
        "  validationActions: [Deny]\n");
    assertThat(create(MAPS, "default", map("a", "x")).meta().name()).isEqualTo("a");
    validating(
        "shut",
        "  validations:\n  - {expression: object.missing == 1}\n",
        "  validationActions: [Deny]\n");

    assertThat(refusal(MAPS, "default", map("b", "x")).text())
        .endsWith(
            "denied request: expression 'object.missing == 1' resulted in error: no such key:"
                + " missing");
  }

  @Test
  void params_areReadForEachRequest() {
    validating(
        "limit",
        "  paramKind: {apiVersion: v1, kind: ConfigMap}\n"
            + "  matchConditions:\n"
            + "  - {name: other, expression: \"object.metadata.name != 'param'\"}\n"
            + "  validations:\n  - {expression: object.data.x == params.data.x}\n",
        "  validationActions: [Deny]\n"
            + "  paramRef: {name: param, parameterNotFoundAction: Deny}\n");
    assertThat(refusal(MAPS, "default", map("a", "1")).text())
        .endsWith(
            "ValidatingAdmissionPolicy 'limit' with binding 'limit-binding' denied request: failed"
                + " to configure binding: no params found for policy binding with `Deny`"
                + " parameterNotFoundAction");
    server
        .client()
        .delete(
            VALIDATING_BINDINGS,
            "",
            "limit-binding",
            new DeleteRequest("", "", Dependents.DEFAULT));
    assertThat(create(MAPS, "default", map("param", "1")).meta().name()).isEqualTo("param");
    ApiObject unused =
        create(
            VALIDATING_BINDINGS,
            "",
            "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding,"
                + " metadata: {name: again}, spec: {policyName: limit, validationActions: [Deny],"
                + " paramRef: {name: param, parameterNotFoundAction: Deny}}}");

    assertThat(create(MAPS, "default", map("a", "1")).meta().name()).isEqualTo("a");
    assertThat(refusal(MAPS, "default", map("b", "2")).text()).endsWith("== params.data.x");
  }

  @Test
  void policies_areNotSubjectToPolicies() {
    ApiObject unused =
        create(
            VALIDATING,
            "",
            "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy,"
                + " metadata: {name: all}, spec: {matchConstraints: {resourceRules: [{apiGroups:"
                + " ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]},"
                + " validations: [{expression: 'false'}]}}");
    ApiObject binding =
        create(
            VALIDATING_BINDINGS,
            "",
            "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding,"
                + " metadata: {name: all}, spec: {policyName: all, validationActions: [Deny]}}");
    assertThat(refusal(MAPS, "default", map("a", "x")).text()).contains("denied request");

    server
        .client()
        .delete(
            VALIDATING_BINDINGS,
            "",
            binding.meta().name(),
            new DeleteRequest("", "", Dependents.DEFAULT));

    assertThat(create(MAPS, "default", map("a", "x")).meta().name()).isEqualTo("a");
  }

  @Test
  void paramKind_needsThePermissionToReadIt() {
    UserInfo eve = new UserInfo("eve", "", List.of("system:authenticated"), Map.of());
    ApiObject policy =
        object(
            "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy,"
                + " metadata: {name: eve}, spec: {paramKind: {apiVersion: v1, kind: ConfigMap},"
                + " matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1],"
                + " operations: [CREATE], resources: [pods]}]}, validations: [{expression:"
                + " 'true'}]}}");

    ApiException refused =
        catchThrowableOfType(ApiException.class, () -> create(VALIDATING, "", policy, eve));

    assertThat(refused.reason()).isEqualTo(Reason.INVALID);
    assertThat(refused.details().causes())
        .containsExactly(
            FieldCause.forbidden(
                "spec.paramKind",
                "user &{eve  [system:authenticated] map[]} must have \"get\" permission on all"
                    + " objects of the referenced paramKind (kind=ConfigMap, apiVersion=v1)"));
  }

  @Test
  void expressions_areCheckedAgainstTheTypesOfObjects() {
    validating(
        "typed",
        "  validations:\n  - {expression: object.nothing == 1, message: never}\n"
            + "  - {expression: \"object.metadata.labels['a'] == 'b' && object.data.x == 'y'\"}\n",
        "  validationActions: [Warn]\n");

    Eventually.assertEventually(
        () ->
            assertThat(
                    server
                        .client()
                        .get(VALIDATING, "", "typed")
                        .orElseThrow()
                        .root()
                        .map("status")
                        .get("observedGeneration"))
                .isEqualTo(new Node.Int(1)));
    MapNode checked =
        server
            .client()
            .get(VALIDATING, "", "typed")
            .orElseThrow()
            .root()
            .map("status")
            .map("typeChecking");
    assertThat(Node.maps(checked.items("expressionWarnings")))
        .singleElement()
        .satisfies(
            warning -> {
              assertThat(warning.text("fieldRef")).isEqualTo("spec.validations[0].expression");
              assertThat(warning.text("warning"))
                  .startsWith("/v1, Kind=ConfigMap: ERROR: <input>:1:7: undefined field 'nothing'");
            });
  }

  private static String resource(String path) throws IOException {
    return Files.readString(Path.of("src", "test", "resources").resolve(path));
  }

  private static ApiObject gatewayClasses(String channel, String version) throws IOException {
    return object(
        resource("crds/gateway.networking.k8s.io_gatewayclasses.yaml")
            .replace("/channel: standard", "/channel: " + channel)
            .replace("/bundle-version: v0.0.0-dev", "/bundle-version: " + version));
  }

  @Test
  void safeUpgradesOfTheGatewayApi_denyOldAndExperimentalDefinitions() throws Exception {
    GroupVersionResource definitions =
        new GroupVersion("apiextensions.k8s.io", "v1").resource("customresourcedefinitions");
    String[] documents =
        resource("policies/gateway.networking.k8s.io_vap_safeupgrades.yaml").split("\n---\n", -1);
    List<ApiObject> sent = new ArrayList<>();
    for (String document : documents) {
      if (document.contains("kind: ValidatingAdmissionPolicy")) {
        sent.add(object(document));
      }
    }
    assertThat(sent).hasSize(2);
    for (ApiObject each : sent) {
      ApiObject unused =
          create(
              each.kind().equals("ValidatingAdmissionPolicy") ? VALIDATING : VALIDATING_BINDINGS,
              "",
              each,
              WriteOptions.SERVER);
    }

    ApiException old =
        catchThrowableOfType(
            ApiException.class,
            () ->
                create(definitions, "", gatewayClasses("standard", "v1.2.0"), WriteOptions.SERVER));
    assertThat(old.reason()).isEqualTo(Reason.INVALID);
    assertThat(old.text())
        .contains("Installing CRDs with version before v1.5.0 is prohibited by default.");

    ApiObject made =
        create(definitions, "", gatewayClasses("standard", "v1.5.0"), WriteOptions.SERVER);
    assertThat(made.kind()).isEqualTo("CustomResourceDefinition");
    ApiException experimental =
        catchThrowableOfType(
            ApiException.class,
            () ->
                server
                    .client()
                    .change(
                        definitions,
                        "",
                        made.meta().name(),
                        current -> current.withMeta(gatewayMeta(current, "experimental"))));
    assertThat(experimental.text())
        .contains("Installing experimental CRDs on top of standard channel CRDs is prohibited");
  }

  private static ObjectMeta gatewayMeta(ApiObject object, String channel) {
    MapNode annotations = object.root().map("metadata").map("annotations");
    return object
        .meta()
        .with(
            "annotations",
            annotations.with("gateway.networking.k8s.io/channel", Node.text(channel)));
  }
}
