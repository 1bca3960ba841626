package dev.keelson.admission.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.authz.AlwaysAuthorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.AdmissionCalls;
import dev.keelson.testing.KnownObjects;
import java.util.EnumSet;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plug-ins that change pods and check in the second phase what is left of it. */
@Timeout(60)
class PodPluginsTest {

  private final KnownObjects objects = new KnownObjects();
  private final AdmissionCalls calls = new AdmissionCalls();

  private Admission plugin(PluginName name) {
    return PluginChain.of(
        new PluginOptions(EnumSet.of(name), 300, 300),
        objects,
        AlwaysAuthorizer.ALWAYS_ALLOW,
        RandomGenerator.getDefault(),
        Map.of());
  }

  private static ApiObject pod(String spec) {
    return AdmissionCalls.object("v1", "pods", "{'metadata':{'name':'p'},'spec':" + spec + "}");
  }

  private MapNode mutated(PluginName name, String spec) {
    return plugin(name).mutate(calls.create("v1", "pods", pod(spec)), pod(spec)).root().map("spec");
  }

  private ApiException refusedMutation(PluginName name, String spec) {
    return catchThrowableOfType(ApiException.class, () -> mutated(name, spec));
  }

  private ApiException refused(PluginName name, String spec) {
    return catchThrowableOfType(
        ApiException.class, () -> plugin(name).validate(calls.create("v1", "pods", pod(spec))));
  }

  @Test
  void alwaysPullImages_changesEveryContainerAndImageVolume() {
    assertThat(
            mutated(
                PluginName.ALWAYS_PULL_IMAGES,
                "{'initContainers':[{'name':'i','image':'a'}],"
                    + "'containers':[{'name':'c','image':'a','imagePullPolicy':'Never'},"
                    + "{'name':'d','image':'a','imagePullPolicy':'IfNotPresent'}],"
                    + "'volumes':[{'name':'v','image':{'reference':'a'}},{'name':'e','emptyDir':{}}]}"))
        .isEqualTo(
            AdmissionCalls.tree(
                "{'initContainers':[{'name':'i','image':'a','imagePullPolicy':'Always'}],"
                    + "'containers':[{'name':'c','image':'a','imagePullPolicy':'Always'},"
                    + "{'name':'d','image':'a','imagePullPolicy':'Always'}],"
                    + "'volumes':[{'name':'v','image':{'reference':'a','pullPolicy':'Always'}},"
                    + "{'name':'e','emptyDir':{}}]}"));
  }

  @Test
  void alwaysPullImages_checksWhatAWebhookHasChanged() {
    ApiException one =
        refused(
            PluginName.ALWAYS_PULL_IMAGES,
            "{'containers':[{'name':'c','imagePullPolicy':'Always'},"
                + "{'name':'d','imagePullPolicy':'Never'}]}");
    ApiException two =
        refused(
            PluginName.ALWAYS_PULL_IMAGES,
            "{'initContainers':[{'name':'i'}],'containers':[{'name':'d',"
                + "'imagePullPolicy':'Never'}]}");

    assertThat(one.reason()).isEqualTo(Reason.UNKNOWN);
    assertThat(one.text())
        .isEqualTo(
            "pods \"p\" is forbidden: spec.containers[1].imagePullPolicy: Unsupported value:"
                + " \"Never\": supported values: \"Always\"");
    assertThat(two.text())
        .isEqualTo(
            "[pods \"p\" is forbidden: spec.initContainers[0].imagePullPolicy: Unsupported value:"
                + " \"\": supported values: \"Always\", pods \"p\" is forbidden:"
                + " spec.containers[0].imagePullPolicy: Unsupported value: \"Never\": supported"
                + " values: \"Always\"]");
  }

  @ParameterizedTest
  @CsvSource({"a,a,false", "a,b,true", "b,a,true"})
  void alwaysPullImages_leavesUpdatesWithoutANewImageAlone(
      String first, String second, boolean changed) {
    ApiObject before =
        pod(
            "{'initContainers':[{'name':'i','image':'a'}],'containers':[{'name':'c','image':'a'}]}");
    ApiObject after =
        pod(
            "{'initContainers':[{'name':'i','image':'"
                + first
                + "'}],'containers':[{'name':'c','image':'"
                + second
                + "'}]}");
    AdmissionAttributes update = calls.update("v1", "pods", after, before);
    Admission plugin = plugin(PluginName.ALWAYS_PULL_IMAGES);

    assertThat(plugin.mutate(update, after).equals(after)).isEqualTo(!changed);
    if (!changed) {
      assertThatCode(() -> plugin.validate(update)).doesNotThrowAnyException();
    }
  }

  private void runtimeClass(String name, String fields) {
    objects.put(
        "node.k8s.io/v1",
        "runtimeclasses",
        AdmissionCalls.object(
            "node.k8s.io/v1",
            "runtimeclasses",
            "{'metadata':{'name':'" + name + "'},'handler':'h'" + fields + "}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "{'overhead':{'cpu':'1'}}|pod rejected: Pod Overhead set without corresponding RuntimeClass"
            + " defined Overhead",
        "{'runtimeClassName':'plain','overhead':{'cpu':'1'}}|pod rejected: Pod Overhead set without"
            + " corresponding RuntimeClass defined Overhead",
        "{'runtimeClassName':'heavy','overhead':{'cpu':'1'}}|pod rejected: Pod's Overhead doesn't"
            + " match RuntimeClass's defined Overhead",
        "{'runtimeClassName':'heavy','overhead':{'cpu':'100m'}}|pod rejected: Pod's Overhead"
            + " doesn't match RuntimeClass's defined Overhead",
        "{'runtimeClassName':'heavy','overhead':{'cpu':'0.1','memory':'1024'}}|-",
        "{'runtimeClassName':'heavy'}|pod rejected: Pod's Overhead doesn't match RuntimeClass's"
            + " defined Overhead",
        "{'runtimeClassName':'plain'}|-",
        "{'runtimeClassName':'none'}|pod rejected: RuntimeClass \"none\" not found",
        "{}|-",
      })
  void overhead_isThatOfTheRuntimeClass(String spec, String message) {
    runtimeClass("plain", "");
    runtimeClass("heavy", ",'overhead':{'podFixed':{'cpu':'100m','memory':'1Ki'}}");

    ApiException refused = refused(PluginName.RUNTIME_CLASS, spec);

    assertThat(refused == null ? null : refused.text())
        .isEqualTo(message == null ? null : "pods \"p\" is forbidden: " + message);
  }

  @Test
  void overheadOfAPod_mayBeWrittenInAnotherWay() {
    runtimeClass("heavy", ",'overhead':{'podFixed':{'cpu':'100m'}}");

    assertThat(
            mutated(
                    PluginName.RUNTIME_CLASS,
                    "{'runtimeClassName':'heavy','overhead':{'cpu':'0.1'}}")
                .map("overhead"))
        .isEqualTo(AdmissionCalls.tree("{'cpu':'100m'}"));
    assertThat(
            refusedMutation(
                    PluginName.RUNTIME_CLASS,
                    "{'runtimeClassName':'heavy','overhead':{'cpu':'0.2'}}")
                .text())
        .endsWith("Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // the wider one of two remains
        "[{'key':'a','operator':'Exists'}]|[{'key':'a','value':'v'}]|[{'key':'a','operator':'Exists'}]",
        "[{'key':'a','value':'v'}]|[{'key':'a','operator':'Exists'}]|[{'key':'a','operator':'Exists'}]",
        "[{'key':'a','operator':'Exists'}]|[{'key':'a','operator':'Exists'}]|[{'key':'a','operator':'Exists'}]",
        "[{'key':'a','operator':'Exists'}]|[{'key':'b','operator':'Exists'}]|[{'key':'a','operator':'Exists'},{'key':'b','operator':'Exists'}]",
      })
  void tolerationsOfTheRuntimeClass_areMerged(String own, String more, String merged) {
    runtimeClass("gvisor", ",'scheduling':{'tolerations':" + more + "}");

    assertThat(
            mutated(
                    PluginName.RUNTIME_CLASS,
                    "{'runtimeClassName':'gvisor','tolerations':" + own + "}")
                .get("tolerations"))
        .isEqualTo(AdmissionCalls.tree("{'x':" + merged + "}").get("x"));
  }
}
