package dev.keelson.admission.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.authz.AlwaysAuthorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.AdmissionCalls;
import dev.keelson.testing.KnownObjects;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plug-in ServiceAccount, by the rows of Kubernetes' own tests of it. */
@Timeout(60)
class ServiceAccountTest {

  private static final String ENFORCED =
      "'annotations':{'kubernetes.io/enforce-mountable-secrets':'true'}";

  private final KnownObjects objects = new KnownObjects();
  private final AdmissionCalls calls = new AdmissionCalls();
  private final Admission plugin =
      PluginChain.of(
          new PluginOptions(EnumSet.of(PluginName.SERVICE_ACCOUNT), 300, 300),
          objects,
          AlwaysAuthorizer.ALWAYS_ALLOW,
          RandomGenerator.getDefault(),
          Map.of());

  private void account(String name, String meta, String fields) {
    objects.put(
        "v1",
        "serviceaccounts",
        AdmissionCalls.object(
            "v1",
            "serviceaccounts",
            "{'metadata':{'namespace':'ns','name':'"
                + name
                + "'"
                + (meta.isEmpty() ? "" : "," + meta)
                + "}"
                + (fields.isEmpty() ? "" : "," + fields)
                + "}"));
  }

  private static ApiObject pod(String meta, String spec) {
    return AdmissionCalls.object(
        "v1",
        "pods",
        "{'metadata':{'namespace':'ns','name':'p'"
            + (meta.isEmpty() ? "" : "," + meta)
            + "},'spec':"
            + spec
            + "}");
  }

  private AdmissionAttributes create(ApiObject pod) {
    return calls.create("v1", "pods", pod);
  }

  private MapNode admitted(String spec) {
    AdmissionAttributes call = create(pod("", spec));
    ApiObject pod = plugin.mutate(call, Objects.requireNonNull(call.object()));
    plugin.validate(call.withObject(pod));
    return pod.root().map("spec");
  }

  private String refusal(ApiObject pod) {
    AdmissionAttributes call = create(pod);
    ApiException mutating =
        catchThrowableOfType(ApiException.class, () -> plugin.mutate(call, pod));
    return mutating == null ? "" : mutating.text();
  }

  @ParameterizedTest
  @CsvSource({
    "pods,CREATE,'',true",
    "pods,UPDATE,ephemeralcontainers,true",
    "pods,UPDATE,'',false",
    "pods,UPDATE,status,false",
    "pods,CREATE,binding,false",
    "pods,DELETE,'',false",
    "configmaps,CREATE,'',false"
  })
  void handles_newPodsAndEphemeralContainers(
      String resource, Verb operation, String subresource, boolean handled) {
    assertThat(plugin.handles(operation, new GroupResource("", resource), subresource))
        .isEqualTo(handled);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'serviceAccountName':'default'}|service accounts|reference",
        "{'volumes':[{'name':'v','secret':{'secretName':'s'}}]}|secrets|reference",
        "{'volumes':[{'name':'v','projected':{'sources':[{'secret':{'name':'s'}}]}}]}|secrets|reference",
        "{'imagePullSecrets':[{'name':'s'}]}|secrets|reference",
        "{'containers':[{'name':'c','env':[{'name':'e','valueFrom':{'secretKeyRef':{'name':'s','key':'k'}}}]}]}|secrets|reference",
        "{'initContainers':[{'name':'c','envFrom':[{'secretRef':{'name':'s'}}]}]}|secrets|reference",
        "{'volumes':[{'name':'v','projected':{'sources':[{'serviceAccountToken':{'path':'t'}}]}}]}|ServiceAccountToken"
            + " volume projections|use",
      })
  void mirrorPod_hasNothingOfTheApi(String spec, String what, String verb) {
    String meta = "'annotations':{'kubernetes.io/config.mirror':'true'}";

    assertThat(refusal(pod(meta, spec)))
        .isEqualTo("pods \"p\" is forbidden: a mirror pod may not " + verb + " " + what);
  }

  @Test
  void mirrorPod_isLeftAlone() {
    ApiObject mirror =
        pod(
            "'annotations':{'kubernetes.io/config.mirror':'true'}",
            "{'containers':[{'name':'c'}]}");
    AdmissionAttributes call = create(mirror);

    assertThat(plugin.mutate(call, mirror)).isSameAs(mirror);
    assertThatCode(() -> plugin.validate(call)).doesNotThrowAnyException();
  }

  @Test
  void accountOfAWebhook_mustExistToo() {
    account("default", "", "");
    ApiObject removed = pod("", "{'containers':[]}");
    ApiObject unknown = pod("", "{'serviceAccountName':'no'}");

    assertThat(
            catchThrowableOfType(ApiException.class, () -> plugin.validate(create(removed))).text())
        .isEqualTo("pods \"p\" is forbidden: no service account specified for pod ns/p");
    assertThat(
            catchThrowableOfType(ApiException.class, () -> plugin.validate(create(unknown))).text())
        .isEqualTo(
            "pods \"p\" is forbidden: error looking up service account ns/no: serviceaccount \"no\""
                + " not found");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'volumes':[{'name':'v','secret':{'secretName':'s'}}]}|volume with secret.secretName=\"s\""
            + " is not allowed because service account default does not reference that secret",
        "{'initContainers':[{'name':'i','env':[{'name':'e','valueFrom':{'secretKeyRef':{'name':'s','key':'k'}}}]}]}|init"
            + " container i with envVar e referencing secret.secretName=\"s\" is not allowed"
            + " because service account default does not reference that secret",
        "{'initContainers':[{'name':'i','envFrom':[{'secretRef':{'name':'s'}}]}]}|init container i"
            + " with envFrom referencing secret.secretName=\"s\" is not allowed because service"
            + " account default does not reference that secret",
        "{'containers':[{'name':'c','env':[{'name':'e','valueFrom':{'secretKeyRef':{'name':'s','key':'k'}}}]}]}|container"
            + " c with envVar e referencing secret.secretName=\"s\" is not allowed because service"
            + " account default does not reference that secret",
        "{'containers':[{'name':'c','envFrom':[{'secretRef':{'name':'s'}}]}]}|container c with"
            + " envFrom referencing secret.secretName=\"s\" is not allowed because service account"
            + " default does not reference that secret",
        "{'imagePullSecrets':[{'name':'ok'},{'name':'s'}]}|imagePullSecrets[1].name=\"s\" is not"
            + " allowed because service account default does not reference that imagePullSecret",
      })
  void secret_isOneOfTheAccount_ifThatLimitsThem(String spec, String message) {
    account(
        "default",
        ENFORCED,
        "'secrets':[{'name':'mine'}],'imagePullSecrets':[{'name':'ok'},{'name':'mine'}]");

    assertThat(refusal(pod("", spec))).isEqualTo("pods \"p\" is forbidden: " + message);
    assertThat(refusal(pod("", spec.replace("'s'", "'mine'")))).isEmpty();
  }

  @Test
  void secret_isAnyOne_ifTheAccountDoesNotLimitThem() {
    account("default", "'annotations':{'kubernetes.io/enforce-mountable-secrets':'no'}", "");

    assertThat(refusal(pod("", "{'volumes':[{'name':'v','secret':{'secretName':'s'}}]}")))
        .isEmpty();
  }

  @Test
  void secretOfAnEphemeralContainer_isOneOfTheAccount() {
    account("default", ENFORCED, "'secrets':[{'name':'mine'}]");
    for (List<String> row :
        List.of(
            List.of("'env':[{'name':'e','valueFrom':{'secretKeyRef':{'name':'s'}}}]", "envVar e"),
            List.of("'envFrom':[{'secretRef':{'name':'s'}}]", "envFrom"))) {
      ApiObject pod =
          pod(
              "",
              "{'serviceAccountName':'default','ephemeralContainers':[{'name':'x',"
                  + row.getFirst()
                  + "}]}");

      ApiException refused =
          catchThrowableOfType(
              ApiException.class,
              () ->
                  plugin.validate(
                      calls.call(Verb.UPDATE, "v1", "pods", "ephemeralcontainers", pod, pod)));

      // kube-apiserver answers 500 here
      assertThat(refused.reason()).isEqualTo(Reason.UNKNOWN);
      assertThat(refused.text())
          .isEqualTo(
              "ephemeral container x with "
                  + row.getLast()
                  + " referencing secret.secretName=\"s\" is not allowed because service account"
                  + " default does not reference that secret");
    }
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-,-,true",
        "true,-,true",
        "false,-,false",
        "-,true,true",
        "-,false,false",
        "true,false,true",
        "false,true,false"
      })
  void token_isMountedAsThePodSays_elseAsTheAccountSays(
      String pod, String account, boolean mounted) {
    account("default", "", account == null ? "" : "'automountServiceAccountToken':" + account);

    MapNode spec =
        admitted(
            "{"
                + (pod == null ? "" : "'automountServiceAccountToken':" + pod + ",")
                + "'containers':[{'name':'c'}]}");

    assertThat(spec.has("volumes")).isEqualTo(mounted);
  }

  @Test
  void containerWithAMountThere_getsNoToken() {
    account("default", "", "");

    MapNode spec =
        admitted(
            "{'containers':[{'name':'c','volumeMounts':[{'name':'mine',"
                + "'mountPath':'/var/run/secrets/kubernetes.io/serviceaccount'}]}],"
                + "'volumes':[{'name':'mine','emptyDir':{}}]}");

    assertThat(spec.maps("volumes")).hasSize(1);
    assertThat(spec.maps("containers").getFirst().maps("volumeMounts")).hasSize(1);
  }

  @Test
  void volumeOfTheTokenThatIsThere_isUsedAgain() {
    account("default", "", "");

    MapNode spec =
        admitted(
            "{'initContainers':[{'name':'i'}],'containers':[{'name':'c'}],"
                + "'volumes':[{'name':'kube-api-access-old'}]}");

    assertThat(spec.maps("volumes")).hasSize(1);
    for (String list : List.of("initContainers", "containers")) {
      assertThat(spec.maps(list).getFirst().maps("volumeMounts").getFirst().text("name"))
          .isEqualTo("kube-api-access-old");
    }
  }

  @Test
  void pullSecretsOfTheAccount_areThoseOfAPodWithout() {
    account("default", "", "'imagePullSecrets':[{'name':'a'},{'name':'b'}]");
    Node given = AdmissionCalls.tree("{'x':[{'name':'own'}]}").get("x");

    assertThat(admitted("{'containers':[{'name':'c'}]}").maps("imagePullSecrets"))
        .extracting(each -> each.text("name"))
        .containsExactly("a", "b");
    assertThat(
            admitted("{'containers':[{'name':'c'}],'imagePullSecrets':[{'name':'own'}]}")
                .get("imagePullSecrets"))
        .isEqualTo(given);
  }
}
