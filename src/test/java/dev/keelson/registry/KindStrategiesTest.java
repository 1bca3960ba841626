package dev.keelson.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.batch.JobStrategy;
import dev.keelson.registry.discovery.EndpointSliceStrategy;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.Listing;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KindStrategiesTest extends RegistryTest {

  KindStrategiesTest(@TempDir Path directory) {
    super(directory);
  }

  private ApiObject job(String spec) {
    return api.create(
        "batch/v1", "jobs", "default", "{'metadata':{'name':'j'},'spec':" + spec + "}");
  }

  private static String podTemplate(String more) {
    return "'template':{"
        + more
        + "'spec':{'restartPolicy':'Never',"
        + "'containers':[{'name':'c','image':'i'}]}}";
  }

  /** Whoever writes them decides about their form, as in Kubernetes since 1.20. */
  @Test
  void endpoints_areKeptAsTheyAreSent() {
    String sent =
        "[{'addresses':[{'ip':'10.1.0.2'},{'ip':'10.1.0.1'}],"
            + "'ports':[{'name':'b','port':2,'protocol':'TCP'},{'name':'a','port':1,'protocol':'TCP'}]},"
            + "{'addresses':[{'ip':'10.1.0.2'}],'ports':[{'name':'c','port':3,'protocol':'TCP'}]},"
            + "{'ports':[{'port':1,'protocol':'TCP'}]}]";

    ApiObject made =
        api.create(
            "v1", "endpoints", "default", "{'metadata':{'name':'e'},'subsets':" + sent + "}");

    assertThat(LocalApi.json(MapNode.of("s", Objects.requireNonNull(made.root().get("subsets")))))
        .isEqualTo("{'s':" + sent + "}");
    ApiObject again = api.replace("v1", "endpoints", "default", "e", made);
    assertThat(again.root().get("subsets")).isEqualTo(made.root().get("subsets"));
  }

  @Test
  void serviceAccount_refersToSecretsByNameAlone() {
    ApiObject made =
        api.create(
            "v1",
            "serviceaccounts",
            "default",
            "{'metadata':{'name':'a'},'secrets':[{'kind':'Secret','namespace':'x','name':'s'}]}");
    assertThat(made.root().items("secrets")).containsExactly(MapNode.of("name", Node.text("s")));

    ApiObject again =
        api.replace(
            "v1",
            "serviceaccounts",
            "default",
            "a",
            made.with(
                "secrets",
                new Node.Items(
                    List.of(MapNode.of("name", Node.text("t")).with("uid", Node.text("u"))))));
    assertThat(again.root().items("secrets")).containsExactly(MapNode.of("name", Node.text("t")));
  }

  private ApiObject withStatus(
      String version, String resource, String namespace, ApiObject object) {
    return api.served(
        api.registry()
            .replaceStatus(
                api.collection(version, resource, namespace),
                object.meta().name(),
                object,
                WriteOptions.PERSIST));
  }

  @Test
  void volume_tellsWhenItsPhaseChanged() {
    String since = "lastPhaseTransitionTime";
    String before = "2020-01-01T00:00:00Z";
    String said = "2021-01-01T00:00:00Z";
    ApiObject made = api.createSmallest("v1", "persistentvolumes", "", "p");
    assertThat(made.root().map("status").text(since)).isEqualTo(made.meta().creationTimestamp());

    ApiObject stated = withStatus("v1", "persistentvolumes", "", phase(made, "Available", before));
    assertThat(stated.root().map("status").text(since)).isEqualTo(before);
    ApiObject same = withStatus("v1", "persistentvolumes", "", phase(stated, "Available", ""));
    assertThat(same.root().map("status").text(since)).isEqualTo(before);
    ApiObject other = withStatus("v1", "persistentvolumes", "", phase(same, "Failed", before));
    assertThat(other.root().map("status").text(since)).isNotEmpty().isNotEqualTo(before);
    ApiObject again = withStatus("v1", "persistentvolumes", "", phase(other, "Released", ""));
    assertThat(again.root().map("status").text(since)).isNotEmpty();
    ApiObject last = withStatus("v1", "persistentvolumes", "", phase(again, "Failed", said));
    assertThat(last.root().map("status").text(since)).isEqualTo(said);
  }

  private static ApiObject phase(ApiObject volume, String phase, String since) {
    MapNode status = MapNode.of("phase", Node.text(phase));
    return volume.with(
        "status",
        since.isEmpty() ? status : status.with("lastPhaseTransitionTime", Node.text(since)));
  }

  @Test
  void serviceCidr_keepsItsMetadataWhenItsStatusIsUpdated() {
    ApiObject made =
        api.create(
            "networking.k8s.io/v1",
            "servicecidrs",
            "",
            "{'metadata':{'name':'c'},'spec':{'cidrs':['203.0.113.0/24']}}");

    ApiObject told =
        withStatus(
            "networking.k8s.io/v1",
            "servicecidrs",
            "",
            made.withMeta(made.meta().with("labels", MapNode.of("a", Node.text("b")))));

    assertThat(told.meta().labels()).isEmpty();
  }

  @Test
  void endpointSlice_losesTheLabelsOfItsEndpoints() {
    ApiObject made =
        api.create(
            "discovery.k8s.io/v1",
            "endpointslices",
            "default",
            "{'metadata':{'name':'e'},'addressType':'IPv4','endpoints':[{'addresses':['1.2.3.4'],"
                + "'deprecatedTopology':{'kubernetes.io/hostname':'n'}},{'addresses':['1.2.3.5']}]}");

    assertThat(made.root().maps("endpoints"))
        .noneMatch(endpoint -> endpoint.has("deprecatedTopology") || endpoint.has("nodeName"));
  }

  @Test
  void storedEndpointSlice_keepsItsNodesAsNames() {
    EndpointSliceStrategy strategy = new EndpointSliceStrategy();
    String labelled = "'deprecatedTopology':{'kubernetes.io/hostname':'n'}";
    ApiObject stored = slice("{'addresses':['1.2.3.4']," + labelled + "}");

    assertThat(strategy.prepareForUpdate(stored, stored)).isEqualTo(stored);
    ApiObject changed =
        strategy.prepareForUpdate(
            slice(
                "{'addresses':['1.2.3.5'],"
                    + labelled
                    + "},{'addresses':['1.2.3.6'],'deprecatedTopology':"
                    + "{'kubernetes.io/hostname':'other'}}"),
            stored);
    assertThat(LocalApi.json(MapNode.of("e", new Node.Items(changed.root().items("endpoints")))))
        .isEqualTo(
            "{'e':[{'addresses':['1.2.3.5'],'conditions':{},'nodeName':'n'},"
                + "{'addresses':['1.2.3.6'],'conditions':{}}]}");
  }

  private ApiObject slice(String endpoints) {
    return api.object(
        "discovery.k8s.io/v1",
        "endpointslices",
        "{'metadata':{'name':'e'},'addressType':'IPv4','endpoints':[" + endpoints + "]}");
  }

  @Test
  void job_selectsItsPodsByItsUid() {
    ApiObject job = job("{" + podTemplate("") + "}");

    String uid = job.meta().uid();
    MapNode labels = job.root().map("spec").map("template").map("metadata").map("labels");
    assertThat(labels.texts())
        .containsOnly(
            Map.entry("batch.kubernetes.io/controller-uid", uid),
            Map.entry("batch.kubernetes.io/job-name", "j"),
            Map.entry("controller-uid", uid),
            Map.entry("job-name", "j"));
    assertThat(job.root().map("spec").map("selector").map("matchLabels").texts())
        .containsOnly(Map.entry("batch.kubernetes.io/controller-uid", uid));
    assertThat(job.meta().labels()).isEqualTo(labels.texts());
    assertThat(job.root().at("spec", "completions")).isEqualTo(new Node.Int(1));
  }

  @Test
  void job_hasTheLabelsOfItsPods_onceItIsValid() {
    JobStrategy strategy = new JobStrategy();

    ApiObject job =
        strategy.prepareForCreate(
            new ApiObject(
                MapNode.of(
                    "metadata", MapNode.of("name", Node.text("j")).with("uid", Node.text("u")))));

    assertThat(job.meta().labels()).isEmpty();
    assertThat(strategy.canonical(job).meta().labels())
        .isEqualTo(job.root().map("spec").map("template").map("metadata").map("labels").texts())
        .containsEntry("job-name", "j");
  }

  @Test
  void job_withLabelsOfAnotherJob_keepsThemForValidationToReject() {
    ApiObject job = job("{" + podTemplate("'metadata':{'labels':{'job-name':'other'}},") + "}");

    MapNode labels = job.root().map("spec").map("template").map("metadata").map("labels");
    assertThat(labels.text("job-name")).isEqualTo("other");
    assertThat(labels.text("batch.kubernetes.io/job-name")).isEqualTo("j");
    assertThat(job.root().map("spec").map("selector").map("matchLabels").texts())
        .containsOnly(Map.entry("batch.kubernetes.io/controller-uid", job.meta().uid()));
  }

  @Test
  void job_withAManualSelector_isLeftAlone() {
    ApiObject job =
        job(
            "{'manualSelector':true,'selector':{'matchLabels':{'a':'b'}},"
                + podTemplate("'metadata':{'labels':{'a':'b'}},")
                + "}");

    assertThat(LocalApi.json((MapNode) Objects.requireNonNull(job.root().at("spec", "selector"))))
        .isEqualTo("{'matchLabels':{'a':'b'}}");
    assertThat(job.root().at("spec", "template", "metadata", "labels"))
        .isEqualTo(MapNode.of("a", Node.text("b")));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|BestEffort",
        "{'requests':{'cpu':'1'}}|Burstable",
        "{'limits':{'cpu':'1'}}|Burstable",
        "{'limits':{'cpu':'1','memory':'1Gi'}}|Guaranteed",
        "{'limits':{'cpu':'1','memory':'1Gi'},'requests':{'cpu':'1000m','memory':'1024Mi'}}|Guaranteed",
        "{'limits':{'cpu':'1','memory':'1Gi'},'requests':{'cpu':'500m'}}|Burstable",
        "{'limits':{'example.com/gpu':'1'}}|BestEffort",
      })
  void pod_isPendingAndHasItsClass(String resources, String expected) {
    ApiObject pod =
        api.create(
            "v1",
            "pods",
            "default",
            "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i','resources':"
                + resources
                + "}]},'status':{'phase':'Running'}}");

    assertThat(pod.root().map("status").text("phase")).isEqualTo("Pending");
    assertThat(pod.root().map("status").text("qosClass")).isEqualTo(expected);
  }

  @Test
  void pod_withGates_waitsForThem() {
    ApiObject pod =
        api.create(
            "v1",
            "pods",
            "default",
            "{'metadata':{'name':'p'},'spec':{'schedulingGates':[{'name':'a/b'}],"
                + "'containers':[{'name':'c','image':'i'}]}}");

    assertThat(((MapNode) pod.root().map("status").items("conditions").getFirst()).text("reason"))
        .isEqualTo("SchedulingGated");
  }

  @Test
  void node_keepsItsStatus() {
    ApiObject node =
        api.create(
            "v1", "nodes", "", "{'metadata':{'name':'n'},'status':{'capacity':{'cpu':'4'}}}");

    assertThat(node.root().at("status", "allocatable", "cpu")).isEqualTo(Node.text("4"));
  }

  @Test
  void volumes_arePending() {
    ApiObject claim =
        api.create("v1", "persistentvolumeclaims", "default", "{'metadata':{'name':'c'}}");
    ApiObject volume = api.create("v1", "persistentvolumes", "", "{'metadata':{'name':'v'}}");

    assertThat(claim.root().map("status").text("phase")).isEqualTo("Pending");
    assertThat(volume.root().map("status").text("phase")).isEqualTo("Pending");
    assertThat(volume.root().map("status").text("lastPhaseTransitionTime"))
        .isEqualTo(volume.meta().creationTimestamp());
  }

  @Test
  void daemonSet_countsItsTemplates() {
    ApiObject created =
        api.create(
            "apps/v1",
            "daemonsets",
            "default",
            "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},"
                + podTemplate("'metadata':{'labels':{'a':'b'}},")
                + "}}");
    ApiObject changed =
        api.replace(
            "apps/v1",
            "daemonsets",
            "default",
            "d",
            new ApiObject(
                created
                    .root()
                    .withAt(
                        List.of("spec", "template", "metadata", "annotations"),
                        MapNode.of("x", Node.text("y")))));

    assertThat(created.meta().annotations())
        .containsEntry("deprecated.daemonset.template.generation", "1");
    assertThat(changed.meta().annotations())
        .containsEntry("deprecated.daemonset.template.generation", "2");
    assertThat(
            api.get("extensions/v1beta1", "daemonsets", "default", "d")
                .root()
                .at("spec", "templateGeneration"))
        .isEqualTo(new Node.Int(2));
  }

  @Test
  void deployment_countsChangesOfItsAnnotations() {
    ApiObject created =
        api.create(
            "apps/v1",
            "deployments",
            "default",
            "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},"
                + podTemplate("'metadata':{'labels':{'a':'b'}},")
                + "}}");
    ApiObject changed =
        api.replace(
            "apps/v1",
            "deployments",
            "default",
            "d",
            created.withMeta(created.meta().with("annotations", MapNode.of("x", Node.text("y")))));

    assertThat(changed.meta().generation()).isEqualTo(2);
  }

  @Test
  void endpointSlice_countsChangesOfItsLabels() {
    ApiObject created =
        api.create(
            "discovery.k8s.io/v1",
            "endpointslices",
            "default",
            "{'metadata':{'name':'e'},'addressType':'IPv4','endpoints':[]}");
    ApiObject annotated =
        api.replace(
            "discovery.k8s.io/v1",
            "endpointslices",
            "default",
            "e",
            created.withMeta(created.meta().with("annotations", MapNode.of("x", Node.text("y")))));
    ApiObject labelled =
        api.replace(
            "discovery.k8s.io/v1",
            "endpointslices",
            "default",
            "e",
            annotated.withMeta(annotated.meta().with("labels", MapNode.of("x", Node.text("y")))));

    assertThat(created.meta().generation()).isEqualTo(1);
    assertThat(annotated.meta().generation()).isEqualTo(1);
    assertThat(labelled.meta().generation()).isEqualTo(2);
  }

  @Test
  void priorityClass_keepsItsGeneration() {
    ApiObject created =
        api.create(
            "scheduling.k8s.io/v1", "priorityclasses", "", "{'metadata':{'name':'p'},'value':5}");
    ApiObject changed =
        api.replace(
            "scheduling.k8s.io/v1",
            "priorityclasses",
            "",
            "p",
            created.with("description", Node.text("changed")));

    assertThat(created.meta().generation()).isEqualTo(1);
    assertThat(changed.root().text("description")).isEqualTo("changed");
    assertThat(changed.meta().generation()).isEqualTo(1);
  }

  @Test
  void signingRequest_saysWhoAsked() {
    UserInfo user = new UserInfo("anna", "7", List.of("g"), Map.of());
    ApiObject asked =
        api.served(
            api.registry()
                .create(
                    api.collection("certificates.k8s.io/v1", "certificatesigningrequests", ""),
                    api.object(
                        "certificates.k8s.io/v1",
                        "certificatesigningrequests",
                        "{'metadata':{'name':'c'},'spec':{'username':'root','request':'eA==',"
                            + "'signerName':'example.com/s','usages':['client auth']}}"),
                    new WriteOptions(false, "t", user, w -> {})));

    assertThat(asked.root().map("spec").text("username")).isEqualTo("anna");
    assertThat(asked.root().map("spec").text("uid")).isEqualTo("7");
    assertThat(asked.root().map("spec").items("groups")).containsExactly(Node.text("g"));
  }

  @Test
  void secret_showsPlainTextsAsData() {
    ApiObject secret =
        api.create("v1", "secrets", "default", "{'metadata':{'name':'s'},'stringData':{'a':'x'}}");

    assertThat(secret.root().map("data").text("a")).isEqualTo("eA==");
    assertThat(secret.root().has("stringData")).isFalse();
    assertThat(secret.root().text("type")).isEqualTo("Opaque");
  }

  /** What is shown since when a volume is in its phase: since a change, unless a client says so. */
  @Test
  void volume_isInItsPhaseSinceTheChange() {
    String spec =
        "'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],"
            + "'hostPath':{'path':'/tmp'}}";
    ApiObject made =
        api.create("v1", "persistentvolumes", "", "{'metadata':{'name':'phased'}," + spec + "}");
    String past = "2020-01-02T03:04:05Z";
    MapNode since = MapNode.of("lastPhaseTransitionTime", Node.text(past));

    MapNode told = status(made, since.with("phase", Node.text("Pending")));
    MapNode kept = status(made, MapNode.of("phase", Node.text("Pending")));
    MapNode own = status(made, since.with("phase", Node.text("Available")));
    MapNode changed =
        status(
            made,
            MapNode.of("phase", Node.text("Bound"))
                .with("lastPhaseTransitionTime", Node.text(past)));

    assertThat(told.text("lastPhaseTransitionTime")).isEqualTo(past);
    assertThat(kept.text("lastPhaseTransitionTime")).isEqualTo(past);
    assertThat(own.text("lastPhaseTransitionTime")).isGreaterThan(past);
    assertThat(changed.text("lastPhaseTransitionTime")).isEqualTo(past);
  }

  private MapNode status(ApiObject volume, MapNode status) {
    ApiObject wanted =
        volume.withMeta(volume.meta().without("resourceVersion")).with("status", status);
    StoredObject stored =
        api.registry()
            .replaceStatus(
                api.collection("v1", "persistentvolumes", ""),
                "phased",
                wanted,
                WriteOptions.PERSIST);
    return api.served(stored).root().map("status");
  }

  @Test
  void limitRange_withoutAName_getsOne() {
    ApiObject made = api.create("v1", "limitranges", "default", "{'spec':{'limits':[]}}");

    assertThat(made.meta().name()).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  }

  @Test
  void serviceAccount_namesItsSecretsAlone() {
    ApiObject made =
        api.create(
            "v1",
            "serviceaccounts",
            "default",
            "{'metadata':{'name':'s'},'secrets':[{'name':'a','namespace':'n','uid':'u'},"
                + "{'kind':'Secret'},{'name':'b'}]}");

    assertThat(LocalApi.json(MapNode.of("s", new Node.Items(made.root().items("secrets")))))
        .isEqualTo("{'s':[{'name':'a'},{},{'name':'b'}]}");
  }

  @Test
  void priorityClassOfTheSystem_goesWithItsCollectionOnly() {
    Collection classes = api.collection("scheduling.k8s.io/v1", "priorityclasses", "");
    ApiObject unused =
        api.create(
            "scheduling.k8s.io/v1",
            "priorityclasses",
            "",
            "{'metadata':{'name':'system-node-critical'},'value':2000001000}");

    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(
            () ->
                api.registry()
                    .delete(
                        classes,
                        "system-node-critical",
                        DeleteQuery.UNCONDITIONAL,
                        WriteOptions.PERSIST))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.FORBIDDEN))
        .withMessage(
            "priorityclasses.scheduling.k8s.io \"system-node-critical\" is forbidden: this is a"
                + " system priority class and cannot be deleted");
    Listing deleted =
        api.registry()
            .deleteCollection(
                classes,
                ListQuery.ALL,
                ListPage.WHOLE,
                DeleteQuery.UNCONDITIONAL,
                WriteOptions.PERSIST,
                1);
    assertThat(deleted.all()).hasSize(1);
  }

  @Test
  void endpointSlice_dropsTheLabelsOfPlaces() {
    ApiObject made =
        api.create(
            "discovery.k8s.io/v1",
            "endpointslices",
            "default",
            "{'metadata':{'name':'e'},'addressType':'IPv4','endpoints':[{'addresses':['10.1.0.1'],"
                + "'deprecatedTopology':{'kubernetes.io/hostname':'n'}}]}");

    assertThat(((MapNode) made.root().items("endpoints").getFirst()).keys())
        .doesNotContain("deprecatedTopology", "nodeName");
  }
}
