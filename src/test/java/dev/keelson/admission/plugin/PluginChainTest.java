package dev.keelson.admission.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.AdmissionRequest;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.authz.AlwaysAuthorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.WriteOptions;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class PluginChainTest {

  private final LocalApi api;
  private final Map<String, ApiObject> accounts = new HashMap<>();
  private final Map<String, ApiObject> classes = new HashMap<>();

  private final ClusterObjects objects =
      new ClusterObjects() {
        @Override
        public Optional<ApiObject> serviceAccount(String namespace, String name) {
          return Optional.ofNullable(accounts.get(name));
        }

        @Override
        public List<ApiObject> priorityClasses() {
          return List.copyOf(classes.values());
        }

        @Override
        public Optional<ApiObject> runtimeClass(String name) {
          return Optional.ofNullable(classes.get(name));
        }

        @Override
        public Optional<ApiObject> find(
            GroupVersionResource resource, String namespace, String name) {
          return Optional.ofNullable(classes.get(name));
        }

        @Override
        public Optional<ApiObject> priorityClass(String name) {
          return Optional.ofNullable(classes.get(name));
        }

        @Override
        public List<Supplier<ApiObject>> list(GroupVersionResource resource, String namespace) {
          return List.of();
        }
      };

  PluginChainTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    accounts.put("default", api.object("v1", "serviceaccounts", "{}"));
  }

  @AfterEach
  void close() {
    api.close();
  }

  private ApiObject pod(String spec) {
    return api.object("v1", "pods", "{'metadata':{'name':'p'},'spec':" + spec + "}");
  }

  private AdmissionAttributes call(Verb verb, String version, String resource, ApiObject object) {
    return new AdmissionAttributes(
        verb,
        api.definition(version, resource),
        "",
        "default",
        "p",
        object,
        null,
        AdmissionRequest.of(WriteOptions.SERVER, false, warning -> {}));
  }

  private MapNode admitted(PluginName name, String spec) {
    ApiObject pod = pod(spec);
    return chain(name).mutate(call(Verb.CREATE, "v1", "pods", pod), pod).root().map("spec");
  }

  private ApiException refused(PluginName name, String spec) {
    ApiException refusal = catchThrowableOfType(ApiException.class, () -> admitted(name, spec));
    assertThat(refusal.reason()).isEqualTo(Reason.FORBIDDEN);
    return refusal;
  }

  private PluginChain chain(PluginName name) {
    return PluginChain.of(
        new PluginOptions(EnumSet.of(name), 300, 200),
        objects,
        AlwaysAuthorizer.ALWAYS_DENY,
        RandomGenerator.of("L64X128MixRandom"),
        Map.of());
  }

  @Test
  void enabledPlugin_thatNobodySupplies_isAnError() {
    assertThatThrownBy(() -> chain(PluginName.RESOURCE_QUOTA))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no ResourceQuota is supplied, but it is enabled");
  }

  @Test
  void tolerations_areAddedUnlessThePodHasThem() {
    assertThat(LocalApi.json(admitted(PluginName.DEFAULT_TOLERATION_SECONDS, "{}")))
        .contains(
            "'tolerations':[{'key':'node.kubernetes.io/not-ready','operator':'Exists',"
                + "'effect':'NoExecute','tolerationSeconds':300},"
                + "{'key':'node.kubernetes.io/unreachable','operator':'Exists',"
                + "'effect':'NoExecute','tolerationSeconds':200}]");
    assertThat(
            admitted(
                    PluginName.DEFAULT_TOLERATION_SECONDS,
                    "{'tolerations':[{'operator':'Exists'}]}")
                .items("tolerations"))
        .hasSize(1);
  }

  @Test
  void runtimeClass_givesWhatItsPodsNeed() {
    classes.put(
        "gvisor",
        api.object(
            "node.k8s.io/v1",
            "runtimeclasses",
            "{'metadata':{'name':'gvisor'},'handler':'runsc','overhead':{'podFixed':{'cpu':'10m'}},"
                + "'scheduling':{'nodeSelector':{'runtime':'runsc'},'tolerations':[{'key':'r','operator':'Exists'}]}}"));

    assertThat(
            LocalApi.json(
                admitted(
                    PluginName.RUNTIME_CLASS,
                    "{'runtimeClassName':'gvisor','nodeSelector':{'a':'b'}}")))
        .contains("'overhead':{'cpu':'10m'}")
        .contains("'nodeSelector':{'a':'b','runtime':'runsc'}")
        .contains("'tolerations':[{'key':'r','operator':'Exists'}]");
    assertThat(refused(PluginName.RUNTIME_CLASS, "{'runtimeClassName':'none'}"))
        .hasMessage("pods \"p\" is forbidden: pod rejected: RuntimeClass \"none\" not found");
    assertThat(
            refused(
                PluginName.RUNTIME_CLASS, "{'runtimeClassName':'gvisor','overhead':{'cpu':'1'}}"))
        .hasMessageContaining("Pod's Overhead doesn't match");
    assertThat(
            refused(
                PluginName.RUNTIME_CLASS,
                "{'runtimeClassName':'gvisor','nodeSelector':{'runtime':'runc'}}"))
        .hasMessageContaining(
            "conflict: runtimeClass.scheduling.nodeSelector[runtime] = runsc;"
                + " pod.spec.nodeSelector[runtime] = runc");
  }

  @Test
  void priority_isThatOfTheClass() {
    classes.put(
        "high",
        api.object(
            "scheduling.k8s.io/v1",
            "priorityclasses",
            "{'metadata':{'name':'high'},'value':7,'preemptionPolicy':'Never'}"));

    MapNode named = admitted(PluginName.PRIORITY, "{'priorityClassName':'high'}");
    assertThat(named.get("priority")).isEqualTo(new Node.Int(7));
    assertThat(named.text("preemptionPolicy")).isEqualTo("Never");
    assertThat(admitted(PluginName.PRIORITY, "{}").get("priority")).isEqualTo(new Node.Int(0));
    assertThat(refused(PluginName.PRIORITY, "{'priorityClassName':'none'}"))
        .hasMessage("pods \"p\" is forbidden: no PriorityClass with name none was found");
    assertThat(refused(PluginName.PRIORITY, "{'priorityClassName':'high','priority':8}"))
        .hasMessageContaining("the integer value of priority (8) must not be provided in pod spec");
  }

  @Test
  void priority_isThatOfTheDefaultClass() {
    ApiObject usual =
        api.object(
            "scheduling.k8s.io/v1",
            "priorityclasses",
            "{'metadata':{'name':'usual'},'value':5,'globalDefault':true}");
    classes.put("usual", usual);

    assertThat(admitted(PluginName.PRIORITY, "{}").text("priorityClassName")).isEqualTo("usual");
    ApiObject other = usual.withMeta(usual.meta().withText("name", "p"));
    assertThat(refusedDefault(Verb.CREATE, other))
        .hasMessageContaining("usual is already marked as default");
    assertThat(refusedDefault(Verb.UPDATE, other))
        .hasMessageContaining("usual is already marked as default");
    assertThat(refusedDefault(Verb.CREATE, usual))
        .hasMessageContaining("usual is already marked as default");
    assertThat(refusedDefault(Verb.UPDATE, usual)).isNull();
  }

  private @Nullable ApiException refusedDefault(Verb operation, ApiObject priorityClass) {
    return catchThrowableOfType(
        ApiException.class,
        () ->
            chain(PluginName.PRIORITY)
                .validate(
                    call(operation, "scheduling.k8s.io/v1", "priorityclasses", priorityClass)));
  }

  @Test
  void serviceAccount_isThereAndMounted() {
    MapNode spec =
        admitted(PluginName.SERVICE_ACCOUNT, "{'containers':[{'name':'c','image':'i'}]}");

    assertThat(spec.text("serviceAccountName")).isEqualTo("default");
    MapNode mount =
        (MapNode) ((MapNode) spec.items("containers").getFirst()).items("volumeMounts").getFirst();
    MapNode volume = (MapNode) spec.items("volumes").getFirst();
    assertThat(mount.text("mountPath")).isEqualTo("/var/run/secrets/kubernetes.io/serviceaccount");
    assertThat(volume.text("name")).matches("kube-api-access-[a-z0-9]{5}");
    assertThat(mount.text("name")).isEqualTo(volume.text("name"));
    assertThat(volume.map("projected").items("sources")).hasSize(3);
    assertThat(
            admitted(
                    PluginName.SERVICE_ACCOUNT,
                    "{'automountServiceAccountToken':false,'containers':[{'name':'c'}]}")
                .has("volumes"))
        .isFalse();
    assertThat(refused(PluginName.SERVICE_ACCOUNT, "{'serviceAccountName':'no'}"))
        .hasMessage(
            "pods \"p\" is forbidden: error looking up service account default/no:"
                + " serviceaccount \"no\" not found");
  }

  @Test
  void alwaysDeny_refuses() {
    ApiException refusal =
        catchThrowableOfType(
            ApiException.class,
            () ->
                chain(PluginName.ALWAYS_DENY).validate(call(Verb.CREATE, "v1", "pods", pod("{}"))));

    assertThat(refusal).hasMessageContaining("admission control is denying all modifications");
  }
}
