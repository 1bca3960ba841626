package dev.keelson.server;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the next request meets after a policy, a binding or a parameter was changed (the flows of
 * Kubernetes' integration suite of validating policies, without its waiting).
 */
class PolicyChangesTest extends PoliciesContract {

  private static final String NO_PARAMS =
      "failed to configure binding: no params found for policy binding with `Deny`"
          + " parameterNotFoundAction";
  private static final GroupVersionResource SECRETS = GroupVersion.CORE_V1.resource("secrets");
  private static final DeleteRequest DELETE = new DeleteRequest("", "", Dependents.DEFAULT);

  private int number;

  private void policy(String spec) {
    ApiObject unused =
        create(
            VALIDATING,
            "",
            "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicy,"
                + " metadata: {name: p}, spec: {"
                + spec
                + "}}");
  }

  private void binding(String name, String fields) {
    ApiObject unused =
        create(
            VALIDATING_BINDINGS,
            "",
            "{apiVersion: admissionregistration.k8s.io/v1, kind: ValidatingAdmissionPolicyBinding,"
                + " metadata: {name: "
                + name
                + "}, spec: {policyName: p, validationActions: [Deny]"
                + fields
                + "}}");
  }

  private static String on(String resource) {
    return "matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: ['*'], operations:"
        + " ['*'], resources: ["
        + resource
        + "]}]}";
  }

  private static String paramRef(String name) {
    return ", paramRef: {name: " + name + ", namespace: default, parameterNotFoundAction: Deny}";
  }

  /** What a namespace with a generated name is refused with; empty if it is created. */
  private String namespace(String prefix) {
    try {
      ApiObject made =
          create(
              NAMESPACES,
              "",
              "{apiVersion: v1, kind: Namespace, metadata: {generateName: " + prefix + "-}}");
      assertThat(made.meta().name()).startsWith(prefix + "-");
      return "";
    } catch (ApiException e) {
      return e.text().substring(e.text().indexOf("denied request: ") + 16);
    }
  }

  private void param(String kind, GroupVersionResource resource, String name) {
    ApiObject unused =
        create(
            resource,
            "default",
            "{apiVersion: v1, kind: " + kind + ", metadata: {name: " + name + "}}");
  }

  @Test
  void paramKind_thatChanges_isThatOfTheNextRequest() {
    param("ConfigMap", MAPS, "allowed");
    param("Secret", SECRETS, "allowed");
    policy(
        on("namespaces")
            + ", paramKind: {apiVersion: v1, kind: ConfigMap}, validations: [{expression:"
            + " 'object.metadata.name.startsWith(params.kind.lowerAscii())', message: wrong}]");
    binding("b", paramRef("allowed"));
    assertThat(namespace("configmap")).isEmpty();
    assertThat(namespace("secret")).isEqualTo("wrong");

    assertThat(
            server
                .client()
                .change(
                    VALIDATING,
                    "",
                    "p",
                    now ->
                        now.with(
                            "spec",
                            now.root()
                                .map("spec")
                                .with(
                                    "paramKind", object("{apiVersion: v1, kind: Secret}").root()))))
        .isPresent();

    assertThat(namespace("secret")).isEmpty();
    assertThat(namespace("configmap")).isEqualTo("wrong");
  }

  @Test
  void paramRef_thatChanges_isThatOfTheNextRequest() {
    param("ConfigMap", MAPS, "one");
    param("ConfigMap", MAPS, "two");
    policy(
        on("namespaces")
            + ", paramKind: {apiVersion: v1, kind: ConfigMap}, validations: [{expression:"
            + " 'object.metadata.name.startsWith(params.metadata.name)', message: wrong}]");
    binding("b", paramRef("one"));
    assertThat(namespace("one")).isEmpty();
    assertThat(namespace("two")).isEqualTo("wrong");

    assertThat(
            server
                .client()
                .change(
                    VALIDATING_BINDINGS,
                    "",
                    "b",
                    now -> {
                      MapNode spec = now.root().map("spec");
                      return now.with(
                          "spec",
                          spec.with(
                              "paramRef", spec.map("paramRef").with("name", Node.text("two"))));
                    }))
        .isPresent();

    assertThat(namespace("two")).isEmpty();
    assertThat(namespace("one")).isEqualTo("wrong");
  }

  @Test
  void param_thatIsDeleted_deniesUntilItIsThereAgain() {
    param("ConfigMap", MAPS, "test");
    policy(
        on("namespaces")
            + ", paramKind: {apiVersion: v1, kind: ConfigMap}, validations: [{expression:"
            + " 'object.metadata.name.startsWith(params.metadata.name)', message: wrong}]");
    binding("b", paramRef("test"));
    assertThat(namespace("other")).isEqualTo("wrong");

    server.client().delete(MAPS, "default", "test", DELETE);

    // parameters are read from the watch cache, as in Kubernetes
    assertEventually(() -> assertThat(namespace("other")).isEqualTo(NO_PARAMS));
    assertThat(namespace("test")).isEqualTo(NO_PARAMS);
    param("ConfigMap", MAPS, "test");
    assertThat(namespace("other")).isEqualTo("wrong");
    assertThat(namespace("test")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"policy", "binding"})
  void policyOrBinding_thatIsDeleted_deniesNothingUntilItIsThereAgain(String deleted) {
    String spec =
        on("namespaces")
            + ", validations: [{expression: \"object.metadata.name.startsWith('test')\", message:"
            + " wrong}]";
    policy(spec);
    binding("b", "");
    assertThat(namespace("other")).isEqualTo("wrong");

    boolean whole = deleted.equals("policy");
    server.client().delete(whole ? VALIDATING : VALIDATING_BINDINGS, "", whole ? "p" : "b", DELETE);
    assertThat(namespace("other")).isEmpty();

    if (whole) {
      policy(spec);
    } else {
      binding("b", "");
    }
    assertThat(namespace("other")).isEqualTo("wrong");
    assertThat(namespace("test")).isEmpty();
  }

  @Test
  void bindings_selectTheirOwnObjectsAndParams() {
    policy(
        on("secrets")
            + ", paramKind: {apiVersion: v1, kind: ConfigMap}, validations: [{expression:"
            + " \"params.data.fails != 'true' && (params.data.only == 'false' ||"
            + " object.metadata.name.startsWith(params.data.check))\"}]");
    for (String[] each :
        new String[][] {
          {"never", "{fails: 'true'}"},
          {"always", "{fails: 'false', only: 'false'}"},
          {"some", "{fails: 'false', only: 'true', check: prefix-}"}
        }) {
      ApiObject unused =
          create(
              MAPS,
              "default",
              "{apiVersion: v1, kind: ConfigMap, metadata: {name: "
                  + each[0]
                  + "}, data: "
                  + each[1]
                  + "}");
      binding(
          each[0],
          paramRef(each[0])
              + ", matchResources: {objectSelector: {matchExpressions: [{key: "
              + each[0]
              + ", operator: Exists}]}}");
    }

    assertThat(secret("a", "never")).contains("with binding 'never' denied request: failed exp");
    assertThat(secret("b", "always")).isEmpty();
    assertThat(secret("c", "some")).contains("with binding 'some' denied request: failed exp");
    assertThat(secret("prefix-d", "some")).isEmpty();
    assertThat(secret("e", "none")).isEmpty();
  }

  private String secret(String name, String label) {
    try {
      ApiObject made =
          create(
              SECRETS,
              "default",
              "{apiVersion: v1, kind: Secret, metadata: {name: %s, labels: {%s: x}}}"
                  .formatted(name, label));
      assertThat(made.meta().name()).isEqualTo(name);
      return "";
    } catch (ApiException e) {
      return e.text();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "authorizer.group('apps').resource('deployments').subresource('status')"
            + ".namespace('default').name('one').check('create').allowed()|true",
        "authorizer.group('apps').resource('deployments').subresource('status')"
            + ".namespace('default').name('two').check('create').allowed()|false",
        "authorizer.requestResource.check('paint').allowed()|true",
        "authorizer.requestResource.check('wipe').allowed()|false",
        "authorizer.serviceAccount('default', 'extra').group('').resource('pods').check('paint')"
            + ".allowed()|true",
        "authorizer.serviceAccount('default', 'other').group('').resource('pods').check('paint')"
            + ".allowed()|false",
        "authorizer.path('/healthz').check('get').allowed()|true",
        "authorizer.path('/other').check('get').allowed()|false",
      })
  void authorizer_isThatOfTheServerAndTheUser(String expression, boolean allowed) {
    grant(
        "User",
        "alice",
        "{verbs: [create], apiGroups: [apps], resources: [deployments/status], resourceNames:"
            + " [one]}, {verbs: [paint], apiGroups: [''], resources: [namespaces]},"
            + " {verbs: [get], nonResourceURLs: [/healthz]}");
    grant(
        "User",
        "system:serviceaccount:default:extra",
        "{verbs: [paint], apiGroups: [''], resources: [pods]}");
    policy(on("namespaces") + ", validations: [{expression: \"" + expression + "\"}]");
    binding("b", "");
    UserInfo alice = new UserInfo("alice", "1234", List.of("system:authenticated"), Map.of());
    ApiObject namespace = object("{apiVersion: v1, kind: Namespace, metadata: {name: made}}");

    ApiException refused =
        catchThrowableOfType(
            ApiException.class,
            () -> {
              ApiObject unused = create(NAMESPACES, "", namespace, alice);
            });

    assertThat(refused == null).isEqualTo(allowed);
    if (refused != null) {
      assertThat(refused.text()).endsWith("denied request: failed expression: " + expression);
    }
  }

  private void grant(String kind, String name, String rules) {
    GroupVersion version = new GroupVersion("rbac.authorization.k8s.io", "v1");
    String role = "role-" + number++;
    ApiObject made =
        create(
            version.resource("clusterroles"),
            "",
            "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: "
                + role
                + "}, rules: ["
                + rules
                + "]}");
    ApiObject bound =
        create(
            version.resource("clusterrolebindings"),
            "",
            "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: "
                + role
                + "}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: "
                + role
                + "}, subjects: [{kind: "
                + kind
                + ", apiGroup: rbac.authorization.k8s.io, name: '"
                + name
                + "'}]}");
    assertThat(made.meta().name()).isEqualTo(bound.meta().name());
  }
}
