package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The escalation check of RBAC counts what mutating webhooks and policies have made of a role or a
 * binding (source: kube-apiserver, whose policybased storages run after mutating admission).
 */
class EscalationThroughMutationTest extends AdmissionWebhookFixture {

  private static final String RBAC = "rbac.authorization.k8s.io/v1";
  private static final String SECRETS =
      "{'verbs':['get'],'apiGroups':[''],'resources':['secrets']}";
  private static final String MAPS =
      "{'verbs':['get'],'apiGroups':[''],'resources':['configmaps']}";
  private static final String MISSING =
      "user \"jane\" (groups=[\"devs\"]) is attempting to grant RBAC permissions not currently"
          + " held:\n{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\"]}";

  @Override
  List<String> flags() {
    return List.of(
        "--authorization-mode=RBAC",
        "--enable-admission-plugins=OwnerReferencesPermissionEnforcement");
  }

  /** Creates an object as the administrator. */
  private ApiObject given(Collection collection, String json) {
    return server
        .client()
        .create(collection.definition().gvr(), collection.namespace(), object(collection, json));
  }

  private Collection roles() {
    return collection(RBAC, "roles", "default");
  }

  private Collection bindings() {
    return collection(RBAC, "rolebindings", "default");
  }

  private void holds(String rules) {
    ApiObject role =
        given(
            collection(RBAC, "clusterroles", ""),
            "{'metadata':{'name':'janes'},'rules':[" + rules + "]}");
    ApiObject bound =
        given(
            collection(RBAC, "clusterrolebindings", ""),
            """
            {'metadata':{'name':'janes'},
             'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole','name':'janes'},
             'subjects':[{'apiGroup':'rbac.authorization.k8s.io','kind':'User','name':'jane'}]}
            """);
    assertThat(bound.meta().name()).isEqualTo(role.meta().name());
  }

  /** Makes a webhook, or a policy, change roles and bindings by a JSON Patch. */
  private void mutates(String by, String patch, String cel) {
    if (by.equals("webhook")) {
      responses = request -> patching(patch);
      ApiObject unused =
          given(
              collection("admissionregistration.k8s.io/v1", "mutatingwebhookconfigurations", ""),
              "{'metadata':{'name':'m'},'webhooks':["
                  + webhook("a.b.c", "")
                      .replace("'apiGroups':['']", "'apiGroups':['*']")
                      .replace(
                          "['configmaps']",
                          "['roles','rolebindings','clusterroles','configmaps','pods/status']")
                      .replace("['CREATE']", "['CREATE','UPDATE']")
                  + "]}");
    } else {
      policy("JSONPatch", "jsonPatch", cel);
    }
  }

  private void policy(String type, String field, String cel) {
    ApiObject policy =
        given(
            collection("admissionregistration.k8s.io/v1", "mutatingadmissionpolicies", ""),
            """
            {'metadata':{'name':'p'},'spec':{'reinvocationPolicy':'Never','failurePolicy':'Fail',
             'matchConstraints':{'resourceRules':[{'apiGroups':['rbac.authorization.k8s.io',''],
               'apiVersions':['v1'],'operations':['CREATE','UPDATE'],
               'resources':['roles','rolebindings','clusterroles']}]},
             'mutations':[{'patchType':'TYPE','FIELD':{'expression':'CEL'}}]}}
            """
                .replace("TYPE", type)
                .replace("FIELD", field)
                .replace("CEL", cel));
    ApiObject binding =
        given(
            collection("admissionregistration.k8s.io/v1", "mutatingadmissionpolicybindings", ""),
            "{'metadata':{'name':'p'},'spec':{'policyName':'p'}}");
    assertThat(binding.meta().name()).isEqualTo(policy.meta().name());
  }

  private void addsSecrets(String by) {
    mutates(
        by,
        "[{'op':'add','path':'/rules/-','value':" + SECRETS + "}]",
        "[JSONPatch{op: \\\"add\\\", path: \\\"/rules/-\\\", value: Object.rules{verbs:"
            + " [\\\"get\\\"], apiGroups: [\\\"\\\"], resources: [\\\"secrets\\\"]}}]");
  }

  private ApiException refusal(Collection collection, String json) {
    return catchThrowableOfType(ApiException.class, () -> create(collection, json));
  }

  private static String role(String rules) {
    return "{'metadata':{'name':'r'},'rules':[" + rules + "]}";
  }

  private void assertForbidden(ApiException refused, String resource, String name) {
    assertThat(refused.reason()).isEqualTo(Reason.FORBIDDEN);
    assertThat(refused.getMessage())
        .isEqualTo(
            resource + ".rbac.authorization.k8s.io \"" + name + "\" is forbidden: " + MISSING);
  }

  @ParameterizedTest
  @ValueSource(strings = {"webhook", "policy"})
  void ruleThatTheWriterDoesNotHold_isForbidden(String by) {
    holds(MAPS);
    addsSecrets(by);

    assertForbidden(refusal(roles(), role(MAPS)), "roles", "r");
    assertForbidden(refusal(collection(RBAC, "clusterroles", ""), role(MAPS)), "clusterroles", "r");
  }

  @ParameterizedTest
  @ValueSource(strings = {"webhook", "policy"})
  void ruleThatTheWriterDoesNotHold_isForbiddenInAnUpdate(String by) {
    holds(MAPS);
    ApiObject made = create(roles(), role(MAPS));
    addsSecrets(by);

    ApiException refused =
        catchThrowableOfType(
            ApiException.class,
            () ->
                server
                    .registry()
                    .replace(
                        roles(),
                        "r",
                        made.withMeta(made.meta().with("labels", MapNode.of("a", Node.text("b")))),
                        options(false)));

    assertForbidden(refused, "roles", "r");
  }

  @ParameterizedTest
  @ValueSource(strings = {"webhook", "policy"})
  void ruleOfTheMutation_isStoredForAWriterWhoMayEscalate(String by) {
    holds(
        MAPS
            + ",{'verbs':['escalate'],'apiGroups':['rbac.authorization.k8s.io'],"
            + "'resources':['roles']}");
    addsSecrets(by);

    assertThat(create(roles(), role(MAPS)).root().items("rules")).hasSize(2);
  }

  @Test
  void applyConfigurationOfRules_isInvalid_sinceTheyAreAtomic() {
    holds(MAPS);
    policy(
        "ApplyConfiguration",
        "applyConfiguration",
        "Object{rules: [Object.rules{verbs: [\\\"get\\\"]}]}");

    ApiException refused = refusal(roles(), role(MAPS));

    assertThat(refused.code()).isEqualTo(403);
    assertThat(refused.reason()).isEqualTo(Reason.INVALID);
    assertThat(refused.getMessage())
        .isEqualTo(
            "policy 'p' with binding 'p' denied request: error applying patch: invalid"
                + " ApplyConfiguration: may not mutate atomic arrays, maps or structs: .rules,"
                + " .rules[0].verbs");
  }

  private static String binding(String role) {
    return "{'metadata':{'name':'b'},'roleRef':{'apiGroup':'rbac.authorization.k8s.io',"
        + "'kind':'Role','name':'"
        + role
        + "'},'subjects':[{'apiGroup':'rbac.authorization.k8s.io','kind':'User','name':'ann'}]}";
  }

  private void givenRoles() {
    for (List<String> each :
        List.of(List.of("reads-maps", MAPS), List.of("reads-secrets", SECRETS))) {
      ApiObject role = given(roles(), role(each.get(1)).replace("'r'", "'" + each.get(0) + "'"));
      assertThat(role.meta().name()).isEqualTo(each.get(0));
    }
  }

  private void refersToSecrets(String by) {
    mutates(
        by,
        "[{'op':'replace','path':'/roleRef/name','value':'reads-secrets'}]",
        "[JSONPatch{op: \\\"replace\\\", path: \\\"/roleRef/name\\\", value:"
            + " \\\"reads-secrets\\\"}]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"webhook", "policy"})
  void roleOfTheMutation_isWhatTheBinderMustHold(String by) {
    holds(MAPS);
    givenRoles();
    refersToSecrets(by);

    assertForbidden(refusal(bindings(), binding("reads-maps")), "rolebindings", "b");
  }

  @ParameterizedTest
  @ValueSource(strings = {"webhook", "policy"})
  void roleOfTheMutation_isWhatTheBinderMayBind(String by) {
    holds(
        "{'verbs':['bind'],'apiGroups':['rbac.authorization.k8s.io'],'resources':['roles'],"
            + "'resourceNames':['reads-secrets']}");
    givenRoles();

    assertThat(refusal(bindings(), binding("reads-maps")).reason()).isEqualTo(Reason.FORBIDDEN);
    refersToSecrets(by);

    assertThat(create(bindings(), binding("reads-maps")).root().map("roleRef").text("name"))
        .isEqualTo("reads-secrets");
  }

  @ParameterizedTest
  @ValueSource(strings = {"webhook", "policy"})
  void subjectOfTheMutation_isAGrantOfTheWriter(String by) {
    holds(MAPS);
    givenRoles();
    ApiObject made = given(bindings(), binding("reads-secrets"));
    mutates(
        by,
        "[{'op':'replace','path':'/subjects/0/name','value':'jane'}]",
        "[JSONPatch{op: \\\"replace\\\", path: \\\"/subjects/0/name\\\", value: \\\"jane\\\"}]");

    ApiException refused =
        catchThrowableOfType(
            ApiException.class,
            () ->
                server
                    .registry()
                    .replace(
                        bindings(),
                        "b",
                        made.withMeta(made.meta().with("finalizers", Node.texts(List.of("a.b/c")))),
                        options(false)));

    assertForbidden(refused, "rolebindings", "b");
  }

  @Test
  void onlyFieldsOfGarbageCollection_areNoGrant_withAMutatorThatChangesNothingElse() {
    holds(MAPS);
    givenRoles();
    ApiObject made = given(bindings(), binding("reads-secrets"));
    mutates("webhook", "[{'op':'add','path':'/metadata/finalizers','value':['a.b/c']}]", "");

    ApiObject updated =
        server
            .registry()
            .served(server.registry().replace(bindings(), "b", made, options(false)).object());

    assertThat(updated.meta().finalizers()).containsExactly("a.b/c");
  }

  @Test
  void ownerOfTheMutation_needsTheRightsOfTheWriter() {
    holds(MAPS);
    mutates(
        "webhook",
        "[{'op':'add','path':'/metadata/ownerReferences','value':[{'apiVersion':'v1',"
            + "'kind':'ConfigMap','name':'owner','uid':'1'}]}]",
        "");

    ApiException refused = refusal(maps(), "{'metadata':{'name':'one'}}");

    assertThat(refused.reason()).isEqualTo(Reason.FORBIDDEN);
    assertThat(refused.getMessage())
        .isEqualTo(
            "configmaps \"one\" is forbidden: cannot set an ownerRef on a resource you can't"
                + " delete: , <nil>");
  }

  @Test
  void blockingOwnerOfTheMutation_needsTheRightToSetItsFinalizers() {
    holds("{'verbs':['delete'],'apiGroups':[''],'resources':['configmaps']}");
    mutates(
        "webhook",
        "[{'op':'add','path':'/metadata/ownerReferences','value':[{'apiVersion':'v1',"
            + "'kind':'ConfigMap','name':'owner','uid':'1','blockOwnerDeletion':true}]}]",
        "");

    assertThat(refusal(maps(), "{'metadata':{'name':'one'}}").getMessage())
        .startsWith(
            "configmaps \"one\" is forbidden: cannot set blockOwnerDeletion if an ownerReference"
                + " refers to a resource you can't set finalizers on: ");
  }

  private ApiException refusedUpdate(String patch) {
    ApiObject made = given(maps(), "{'metadata':{'name':'one'}}");
    mutates("webhook", patch, "");
    return catchThrowableOfType(
        ApiException.class, () -> server.registry().replace(maps(), "one", made, options(false)));
  }

  @Test
  void nameOfTheMutation_isNoneOfAnUpdate() {
    ApiException refused =
        refusedUpdate("[{'op':'replace','path':'/metadata/name','value':'two'}]");

    assertThat(refused.reason()).isEqualTo(Reason.INVALID);
    assertThat(refused.getMessage())
        .isEqualTo(
            "ConfigMap \"two\" is invalid: metadata.name: Invalid value: \"two\": field is"
                + " immutable");
  }

  @Test
  void namespaceOfTheMutation_isThatOfTheRequest() {
    ApiException refused =
        refusedUpdate("[{'op':'replace','path':'/metadata/namespace','value':'kube-system'}]");

    assertThat(refused.reason()).isEqualTo(Reason.BAD_REQUEST);
    assertThat(refused.getMessage())
        .isEqualTo(
            "the namespace of the provided object does not match the namespace sent on the"
                + " request");
    assertThat(refusal(maps(), "{'metadata':{'name':'three'}}").getMessage())
        .isEqualTo(refused.getMessage());
  }

  @Test
  void uidOfTheMutation_isImmutable() {
    ApiException refused = refusedUpdate("[{'op':'replace','path':'/metadata/uid','value':'7'}]");

    assertThat(refused.reason()).isEqualTo(Reason.INVALID);
    assertThat(refused.getMessage())
        .isEqualTo(
            "ConfigMap \"one\" is invalid: metadata.uid: Invalid value: \"7\": field is immutable");
  }

  @Test
  void resourceVersionOfTheMutation_isThePreconditionOfAnUpdate() {
    ApiException refused =
        refusedUpdate("[{'op':'replace','path':'/metadata/resourceVersion','value':'1'}]");

    assertThat(refused.reason()).isEqualTo(Reason.CONFLICT);
    assertThat(refused.getMessage())
        .isEqualTo(
            "Operation cannot be fulfilled on configmaps \"one\": the object has been modified;"
                + " please apply your changes to the latest version and try again");
  }

  @Test
  void uidAndVersionOfTheMutation_areThoseOfTheServerInACreate() {
    mutates(
        "webhook",
        "[{'op':'add','path':'/metadata/uid','value':'7'},"
            + "{'op':'add','path':'/metadata/resourceVersion','value':'1'}]",
        "");

    ApiObject made = createMap("one");

    assertThat(made.meta().uid()).hasSize(36);
    assertThat(made.meta().resourceVersion()).isNotEqualTo("1");
  }

  @Test
  void statusUpdate_storesNothingElseOfTheMutation() {
    Collection pods = collection("v1", "pods", "default");
    ApiObject made =
        given(
            pods,
            "{'metadata':{'name':'p'},'spec':{'serviceAccountName':'default',"
                + "'automountServiceAccountToken':false,'containers':[{'name':'c','image':'a'}]}}");
    mutates(
        "webhook",
        "[{'op':'replace','path':'/spec/containers/0/image','value':'b'},"
            + "{'op':'add','path':'/status/message','value':'hooked'}]",
        "");

    ApiObject updated =
        server.registry().served(server.registry().replaceStatus(pods, "p", made, options(false)));

    assertThat(updated.root().map("status").text("message")).isEqualTo("hooked");
    assertThat(updated.root().map("spec").maps("containers").getFirst().text("image"))
        .isEqualTo("a");
  }
}
