package dev.keelson.registry.subresource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ManagedFieldsText;
import dev.keelson.registry.RegistryTest;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.registry.write.Deleted;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubresourcesTest extends RegistryTest {

  private static final String CONTAINERS = "'containers':[{'name':'c','image':'i'}]";

  private final Subresources actions;
  private final Collection pods;

  SubresourcesTest(@TempDir Path directory) {
    super(directory);
    actions = Subresources.of(api.registry(), api.codec(), api.catalog(), api.clock());
    pods = api.collection("v1", "pods", "default");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "apps/v1|deployments|autoscaling/v1|{'replicas':0,'selector':'a=b,c in (d,e),!f'}",
        "apps/v1|replicasets|autoscaling/v1|{'replicas':0,'selector':'a=b,c in (d,e),!f'}",
        "apps/v1|statefulsets|autoscaling/v1|{'replicas':0,'selector':'a=b,c in (d,e),!f'}",
        "extensions/v1beta1|deployments|extensions/v1beta1|"
            + "{'replicas':0,'targetSelector':'a=b,c in (d,e),!f'}",
      })
  void scale_showsReplicasAndSelector(
      String version, String resource, String scaleVersion, String status) {
    ApiObject workload = api.smallest(version, resource, "w");
    MapNode selector =
        api.object(
                "apps/v1",
                "deployments",
                "{'spec':{'selector':{'matchLabels':{'a':'b'},'matchExpressions':["
                    + "{'key':'f','operator':'DoesNotExist'},"
                    + "{'key':'c','operator':'In','values':['e','d']}]}}}")
            .root()
            .map("spec")
            .map("selector");
    MapNode spec =
        workload
            .root()
            .map("spec")
            .with("replicas", new Node.Int(3))
            .with("selector", selector)
            .withAt(
                List.of("template", "metadata", "labels"),
                MapNode.of("a", Node.text("b")).with("c", Node.text("d")));
    ApiObject created = api.create(version, resource, "default", workload.with("spec", spec));

    ApiObject scale =
        served(actions.scales().get(api.collection(version, resource, "default"), "w"));

    assertThat(scale.apiVersion()).isEqualTo(scaleVersion);
    assertThat(scale.kind()).isEqualTo("Scale");
    assertThat(scale.meta().uid()).isEqualTo(created.meta().uid());
    assertThat(scale.meta().resourceVersion()).isEqualTo(created.meta().resourceVersion());
    assertThat(LocalApi.json(scale.root().map("spec"))).isEqualTo("{'replicas':3}");
    assertThat(LocalApi.json(scale.root().map("status"))).isEqualTo(status);
  }

  @Test
  void scale_ofAReplicationController_selectsByLabels() {
    ApiObject created = api.createSmallest("v1", "replicationcontrollers", "default", "w");
    Collection workloads = api.collection("v1", "replicationcontrollers", "default");

    ApiObject scale = served(actions.scales().get(workloads, created.meta().name()));

    assertThat(scale.root().map("status").text("selector")).contains("=");
  }

  @Test
  void scale_isTakenOver_andRaisesTheGeneration() {
    ApiObject created = deployment();
    ApiObject scale = scale();

    ApiObject changed = served(replace(replicas(scale, 5)));
    ApiObject deployment = api.get("apps/v1", "deployments", "default", "w");

    assertThat(changed.root().at("spec", "replicas")).isEqualTo(new Node.Int(5));
    assertThat(deployment.root().at("spec", "replicas")).isEqualTo(new Node.Int(5));
    assertThat(deployment.meta().generation()).isEqualTo(created.meta().generation() + 1);
    assertThat(deployment.meta().resourceVersion()).isEqualTo(changed.meta().resourceVersion());
    assertThat(changed.meta().node().has("managedFields")).isFalse();
    // who has a say in the replicas; the creator no longer has one
    assertThat(deployment.meta().node().items("managedFields"))
        .filteredOn(entry -> LocalApi.json((MapNode) entry).contains("f:replicas"))
        .singleElement()
        .extracting(entry -> LocalApi.json(((MapNode) entry).without("time").without("manager")))
        .isEqualTo(
            "{'operation':'Update','apiVersion':'apps/v1','fieldsType':'FieldsV1',"
                + "'fieldsV1':{'f:spec':{'f:replicas':{}}},'subresource':'scale'}");
    assertThat(refusal(Reason.CONFLICT, () -> replace(replicas(scale, 6))))
        .hasMessage(
            "Operation cannot be fulfilled on deployments.apps \"w\": the object has been modified;"
                + " please apply your changes to the latest version and try again");
    assertThat(replace(replicas(bare(scale), 6)).revision())
        .isGreaterThan(Long.parseLong(changed.meta().resourceVersion()));
  }

  @Test
  void scale_refusesWhatIsNone() {
    ApiObject created = deployment();
    assertThat(created.meta().name()).isEqualTo("w");

    assertThat(refusal(Reason.INVALID, () -> replace(replicas(bare(scale()), -1))))
        .hasMessage(
            "Scale.autoscaling \"w\" is invalid: spec.replicas: Invalid value: -1: must be greater"
                + " than or equal to 0");
    refusal(
        Reason.BAD_REQUEST,
        () -> replace(scale().withMeta(scale().meta().withText("name", "other"))));
    refusal(
        Reason.CONFLICT,
        () -> replace(bare(scale()).withMeta(bare(scale()).meta().withText("uid", "other"))));
  }

  @Test
  void scale_inDryRun_leavesNoTrace() {
    ApiObject created = deployment();

    StoredObject tried =
        actions
            .scales()
            .replace(deployments(), "w", replicas(bare(scale()), 9), WriteOptions.DRY_RUN);

    assertThat(served(tried).root().at("spec", "replicas")).isEqualTo(new Node.Int(9));
    assertThat(api.get("apps/v1", "deployments", "default", "w")).isEqualTo(created);
  }

  @Test
  void binding_assignsAPodOnce() {
    ApiObject created = pod("");

    bind("'p'", "'annotations':{'x':'y'},", "{'name':'n'}");
    ApiObject bound = api.get("v1", "pods", "default", "p");

    assertThat(bound.root().map("spec").text("nodeName")).isEqualTo("n");
    assertThat(bound.meta().annotations()).containsEntry("x", "y");
    assertThat(bound.meta().generation()).isEqualTo(created.meta().generation());
    assertThat(LocalApi.json(bound.root().map("status")))
        .contains("'status':'True'", "'type':'PodScheduled'");
    assertThat(ManagedFieldsText.of(bound)).isEqualTo(ManagedFieldsText.of(created));
    assertThat(refusal(Reason.CONFLICT, () -> bind("'p'", "", "{'name':'other'}")))
        .hasMessage(
            "Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned to node"
                + " \"n\"");
  }

  @Test
  void binding_keepsTheOtherConditionsInTheirPlaces_andTakesLabels() {
    ApiObject created = pod("");
    status(
        "v1",
        "pods",
        created,
        "{'phase':'Pending','nominatedNodeName':'x','conditions':["
            + "{'type':'PodScheduled','status':'False','reason':'Unschedulable',"
            + "'lastTransitionTime':'2026-01-01T00:00:00Z'},"
            + "{'type':'Other','status':'True','lastTransitionTime':'2026-01-01T00:00:00Z'}]}");

    bind("'p'", "'labels':{'topology.kubernetes.io/zone':'z'},", "{'kind':'Node','name':'n'}");
    ApiObject bound = api.get("v1", "pods", "default", "p");

    assertThat(bound.meta().labels()).containsEntry("topology.kubernetes.io/zone", "z");
    assertThat(bound.root().map("status").text("nominatedNodeName")).isEmpty();
    assertThat(bound.root().map("status").maps("conditions"))
        .extracting(each -> each.text("type") + each.text("status") + each.text("reason"))
        .containsExactly("PodScheduledTrue", "OtherTrue");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'uid':'other',             | UID in precondition: other, UID in object meta: ",
        "'resourceVersion':'1',     | ResourceVersion in precondition: 1, ResourceVersion in"
            + " object meta: ",
      })
  void binding_ofAnotherPodThanTheOneMeant_isAConflict(String meta, String detail) {
    ApiObject created = pod("");
    String own = detail.startsWith("UID") ? created.meta().uid() : created.meta().resourceVersion();

    assertThat(refusal(Reason.CONFLICT, () -> bind("'p'", meta, "{'name':'n'}")))
        .hasMessage(
            "Operation cannot be fulfilled on pods \"p\": StorageError: invalid object, Code: 4,"
                + " Key: /registry/pods/default/p, ResourceVersion: 0, AdditionalErrorMsg:"
                + " Precondition failed: "
                + detail.strip()
                + " "
                + own);
    bind(
        "'p'",
        "'uid':'"
            + created.meta().uid()
            + "','resourceVersion':'"
            + created.meta().resourceVersion()
            + "',",
        "{'name':'n'}");
    assertThat(api.get("v1", "pods", "default", "p").root().map("spec").text("nodeName"))
        .isEqualTo("n");
  }

  @Test
  void binding_ofWhatCannotBeBound_isRefused() {
    ApiObject created = pod("'schedulingGates':[{'name':'x.org/g'}],");
    assertThat(created.meta().name()).isEqualTo("p");

    assertThat(refusal(Reason.CONFLICT, () -> bind("'p'", "", "{'name':'n'}")))
        .hasMessageEndingWith("pod p has non-empty .spec.schedulingGates");
    assertThat(refusal(Reason.UNKNOWN, () -> bind("'p'", "", "{'kind':'Pod'}")))
        .hasMessage(
            "[target.kind: Unsupported value: \"Pod\": supported values: \"Node\", \"<empty>\","
                + " target.name: Required value]");
    refusal(Reason.BAD_REQUEST, () -> bind("'q'", "", "{'name':'n'}"));
  }

  @Test
  void ephemeralContainers_areAddedAndStay() {
    ApiObject created = pod("");
    ApiObject wanted =
        created
            .with(
                "spec",
                created
                    .root()
                    .map("spec")
                    .with(
                        "ephemeralContainers",
                        new Node.Items(
                            List.of(
                                MapNode.of("name", Node.text("debug"))
                                    .with("image", Node.text("i"))
                                    .with("terminationMessagePolicy", Node.text("File"))))))
            .withMeta(created.meta().with("labels", MapNode.of("not", Node.text("taken"))));

    ApiObject changed =
        api.served(
            api.registry()
                .replacePart(pods, "ephemeralcontainers", "p", wanted, WriteOptions.PERSIST));

    assertThat(changed.root().map("spec").items("ephemeralContainers")).hasSize(1);
    assertThat(changed.meta().labels()).isEmpty();
    ApiObject without =
        changed.with("spec", changed.root().map("spec").without("ephemeralContainers"));
    assertThat(
            causes(
                () ->
                    api.registry()
                        .replacePart(
                            pods, "ephemeralcontainers", "p", without, WriteOptions.PERSIST)))
        .anyMatch(cause -> cause.contains("\"debug\" may not be removed"));
  }

  @Test
  void resize_changesResourcesAlone() {
    ApiObject created = pod("");
    ApiObject wanted =
        api.object(
            "v1",
            "pods",
            "{'metadata':{'name':'p'},'spec':{'nodeName':'x','containers':[{'name':'c',"
                + "'image':'other','resources':{'limits':{'cpu':'1'},'requests':{'cpu':'1'}}}]}}");

    ApiObject changed =
        api.served(api.registry().replacePart(pods, "resize", "p", wanted, WriteOptions.PERSIST));

    MapNode container = (MapNode) changed.root().map("spec").items("containers").getFirst();
    assertThat(container.map("resources").map("limits").text("cpu")).isEqualTo("1");
    assertThat(container.text("image")).isEqualTo("i");
    assertThat(changed.root().map("spec").text("nodeName")).isEmpty();
    assertThat(changed.meta().uid()).isEqualTo(created.meta().uid());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{'name':'d','image':'x'}]",
        "[{'name':'c','image':'x'},{'name':'d','image':'x'}]",
      })
  void resize_leavesOtherContainersToValidation(String containers) {
    ApiObject created = pod("");
    ApiObject wanted =
        api.object(
            "v1", "pods", "{'metadata':{'name':'p'},'spec':{'containers':" + containers + "}}");

    // the registry of this test has no rules of pods, which reject them
    ApiObject changed =
        api.served(api.registry().replacePart(pods, "resize", "p", wanted, WriteOptions.PERSIST));

    assertThat(changed.root().map("spec").maps("containers"))
        .extracting(each -> each.text("name"))
        .isEqualTo(
            wanted.root().map("spec").maps("containers").stream()
                .map(each -> each.text("name"))
                .toList());
    assertThat(changed.meta().uid()).isEqualTo(created.meta().uid());
  }

  @Test
  void approval_setsConditions_whichAStatusUpdateCannotTouch() {
    ApiObject created =
        api.createSmallest("certificates.k8s.io/v1", "certificatesigningrequests", "", "r");
    Collection requests =
        api.collection("certificates.k8s.io/v1", "certificatesigningrequests", "");
    ApiObject wanted =
        created.with(
            "status",
            MapNode.of(
                "conditions",
                new Node.Items(
                    List.of(
                        MapNode.of("type", Node.text("Approved"))
                            .with("status", Node.text("True"))
                            .with("reason", Node.text("Test"))))));

    ApiObject approved =
        api.served(
            api.registry()
                .replacePart(
                    requests, "approval", created.meta().name(), wanted, WriteOptions.PERSIST));
    ApiObject issued =
        api.served(
            api.registry()
                .replaceStatus(
                    requests,
                    created.meta().name(),
                    wanted.withMeta(approved.meta()),
                    WriteOptions.PERSIST));

    assertThat(LocalApi.json(approved.root().map("status")))
        .contains(
            "'type':'Approved'",
            "'lastUpdateTime':'2030-01-02T03:04:05Z'",
            "'lastTransitionTime':'2030-01-02T03:04:05Z'");
    assertThat(issued.root().map("status")).isEqualTo(approved.root().map("status"));
  }

  @Test
  void statusUpdate_ofARequest_cannotDecide(@TempDir Path directory) {
    try (LocalApi strict = LocalApi.openStrict(directory)) {
      ApiObject created =
          strict.createSmallest("certificates.k8s.io/v1", "certificatesigningrequests", "", "r");
      MapNode approved =
          MapNode.of("type", Node.text("Approved"))
              .with("status", Node.text("True"))
              .with("reason", Node.text("Test"));

      assertThatThrownBy(
              () ->
                  strict
                      .registry()
                      .replaceStatus(
                          strict.collection(
                              "certificates.k8s.io/v1", "certificatesigningrequests", ""),
                          created.meta().name(),
                          created.with(
                              "status",
                              MapNode.of("conditions", new Node.Items(List.of(approved)))),
                          WriteOptions.PERSIST))
          .hasMessageContaining(
              "status.conditions: Forbidden: updates may not add a condition of type"
                  + " \"Approved\"");
    }
  }

  @Test
  void finalize_takesTheFinalizersOfANamespace_andRemovesOneThatIsBeingDeleted() {
    Collection namespaces = api.collection("v1", "namespaces", "");
    ApiObject namespace = api.get("v1", "namespaces", "", "other");
    ApiObject wanted =
        namespace.with("spec", MapNode.of("finalizers", Node.texts(List.of("x.org/mine"))));

    ApiObject changed =
        api.served(
            api.registry()
                .replacePart(namespaces, "finalize", "other", wanted, WriteOptions.PERSIST));
    Deleted held =
        api.registry().delete(namespaces, "other", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST);
    StoredObject gone =
        api.registry()
            .replacePart(
                namespaces,
                "finalize",
                "other",
                api.served(held.object()).with("spec", MapNode.EMPTY),
                WriteOptions.PERSIST);

    assertThat(LocalApi.json(changed.root().map("spec")))
        .isEqualTo("{'finalizers':['x.org/mine']}");
    assertThat(held.gone()).isFalse();
    assertThat(api.served(gone).meta().name()).isEqualTo("other");
    refusal(Reason.NOT_FOUND, () -> api.get("v1", "namespaces", "", "other"));
  }

  @Test
  void rollback_isWrittenDown() {
    ApiObject created = api.createSmallest("extensions/v1beta1", "deployments", "default", "w");
    Collection deployments = api.collection("extensions/v1beta1", "deployments", "default");
    MapNode rollback =
        MapNode.of("name", Node.text(created.meta().name()))
            .with("updatedAnnotations", MapNode.of("x", Node.text("y")))
            .with("rollbackTo", MapNode.of("revision", new Node.Int(3)));

    actions
        .rollback()
        .rollBack(
            deployments, created.meta().name(), new ApiObject(rollback), WriteOptions.PERSIST);

    ApiObject deployment =
        api.get("extensions/v1beta1", "deployments", "default", created.meta().name());
    assertThat(deployment.root().at("spec", "rollbackTo", "revision")).isEqualTo(new Node.Int(3));
    assertThat(deployment.meta().annotations()).containsEntry("x", "y");
    refusal(
        Reason.BAD_REQUEST,
        () ->
            actions
                .rollback()
                .rollBack(deployments, "other", new ApiObject(rollback), WriteOptions.PERSIST));
  }

  private ApiObject served(StoredObject stored) {
    return api.served(stored);
  }

  private Collection deployments() {
    return api.collection("apps/v1", "deployments", "default");
  }

  private ApiObject deployment() {
    return api.createSmallest("apps/v1", "deployments", "default", "w");
  }

  private ApiObject scale() {
    return served(actions.scales().get(deployments(), "w"));
  }

  private StoredObject replace(ApiObject scale) {
    return actions.scales().replace(deployments(), "w", scale, WriteOptions.PERSIST);
  }

  private static ApiObject replicas(ApiObject scale, long number) {
    return scale.with("spec", MapNode.of("replicas", new Node.Int(number)));
  }

  private static ApiObject bare(ApiObject scale) {
    return scale.withMeta(scale.meta().without("resourceVersion"));
  }

  private ApiObject pod(String spec) {
    return api.create(
        "v1",
        "pods",
        "default",
        "{'metadata':{'name':'p','labels':{}},'spec':{" + spec + CONTAINERS + "}}");
  }

  private void status(String version, String resource, ApiObject object, String status) {
    ApiObject wanted =
        object.with(
            "status",
            api.object(version, resource, "{'status':" + status + "}").root().map("status"));
    StoredObject stored =
        api.registry()
            .replaceStatus(
                api.collection(version, resource, "default"),
                object.meta().name(),
                wanted,
                WriteOptions.PERSIST);
    assertThat(stored.revision()).isPositive();
  }

  private void bind(String name, String meta, String target) {
    ApiObject binding =
        api.object(
            "v1",
            "bindings",
            "{'metadata':{" + meta + "'name':" + name + "},'target':" + target + "}");
    actions.binding().bind(pods, "binding", pods, "p", binding, WriteOptions.PERSIST);
  }
}
