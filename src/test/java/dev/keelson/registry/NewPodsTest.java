package dev.keelson.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the fields of a new pod become from its labels and annotations. */
class NewPodsTest extends RegistryTest {

  private static final String KEY = "container.apparmor.security.beta.kubernetes.io/c";
  private static final String WARNING =
      "metadata.annotations["
          + KEY
          + "]: deprecated since v1.30; use the \"appArmorProfile\" field instead";

  private final List<String> warnings = new ArrayList<>();

  NewPodsTest(@TempDir Path directory) {
    super(LocalApi.openStrict(directory));
  }

  private ApiObject create(String metadata, String spec) {
    return api.served(
        api.registry()
            .create(
                api.collection("v1", "pods", "default"),
                api.object(
                    "v1",
                    "pods",
                    "{'metadata':{'name':'p'," + metadata + "},'spec':{" + spec + "}}"),
                new WriteOptions(false, "test", WriteOptions.SERVER, warnings::add)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "unconfined           | {}                   | {'type':'Unconfined'} | 1",
        "runtime/default      | {}                   | {'type':'RuntimeDefault'} | 1",
        "localhost/a/b        | {}                   |"
            + " {'type':'Localhost','localhostProfile':'a/b'} | 1",
        // the pod's own profile says the same
        "unconfined           | {'type':'Unconfined'} | {} | 0",
        "unconfined           | {'type':'RuntimeDefault'} | {'type':'Unconfined'} | 1",
      })
  void annotationOfAppArmor_becomesTheField(
      String annotation, String ofPod, String field, int warned) {
    String context =
        ofPod.equals("{}") ? "" : "'securityContext':{'appArmorProfile':" + ofPod + "},";

    ApiObject pod =
        create(
            "'annotations':{'" + KEY + "':'" + annotation + "'}",
            context + "'containers':[{'name':'c','image':'i'}]");

    MapNode container = pod.root().map("spec").maps("containers").getFirst();
    assertThat(LocalApi.json(container.map("securityContext").map("appArmorProfile")))
        .isEqualTo(field);
    assertThat(warnings).hasSize(warned).allMatch(WARNING::equals);
  }

  @Test
  void fieldOfAppArmor_staysWithoutAnAnnotation() {
    ApiObject pod =
        create(
            "'annotations':{'a':'b'}",
            "'containers':[{'name':'c','image':'i',"
                + "'securityContext':{'appArmorProfile':{'type':'Unconfined'}}}]");

    assertThat(pod.meta().annotations()).containsExactly(java.util.Map.entry("a", "b"));
    assertThat(warnings).isEmpty();
  }

  @Test
  void annotationOfAppArmor_onWindows_isLeftAlone() {
    ApiObject pod =
        create(
            "'annotations':{'" + KEY + "':'unconfined'}",
            "'os':{'name':'windows'},'containers':[{'name':'c','image':'i'}]");

    MapNode container = pod.root().map("spec").maps("containers").getFirst();
    assertThat(container.has("securityContext")).isFalse();
    assertThat(warnings).isEmpty();
  }

  @Test
  void labelKeys_areMergedIntoSelectors() {
    String term =
        "{'topologyKey':'k','labelSelector':{},'matchLabelKeys':['a','none'],"
            + "'mismatchLabelKeys':['b']}";

    ApiObject pod =
        create(
            "'labels':{'a':'1','b':'2'}",
            "'containers':[{'name':'c','image':'i'}],'affinity':{'podAffinity':{"
                + "'requiredDuringSchedulingIgnoredDuringExecution':["
                + term
                + "]},'podAntiAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':["
                + "{'weight':1,'podAffinityTerm':"
                + term
                + "}]}},'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'k',"
                + "'whenUnsatisfiable':'DoNotSchedule','labelSelector':{'matchLabels':{'c':'d'}},"
                + "'matchLabelKeys':['a']}]");

    MapNode spec = pod.root().map("spec");
    String merged =
        "{'matchExpressions':[{'key':'a','operator':'In','values':['1']},"
            + "{'key':'b','operator':'NotIn','values':['2']}]}";
    MapNode affinity = spec.map("affinity");
    assertThat(
            LocalApi.json(
                affinity
                    .map("podAffinity")
                    .maps("requiredDuringSchedulingIgnoredDuringExecution")
                    .getFirst()
                    .map("labelSelector")))
        .isEqualTo(merged);
    assertThat(
            LocalApi.json(
                affinity
                    .map("podAntiAffinity")
                    .maps("preferredDuringSchedulingIgnoredDuringExecution")
                    .getFirst()
                    .map("podAffinityTerm")
                    .map("labelSelector")))
        .isEqualTo(merged);
    assertThat(
            LocalApi.json(spec.maps("topologySpreadConstraints").getFirst().map("labelSelector")))
        .isEqualTo(
            "{'matchLabels':{'c':'d'},"
                + "'matchExpressions':[{'key':'a','operator':'In','values':['1']}]}");
  }
}
