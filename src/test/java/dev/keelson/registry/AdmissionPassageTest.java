package dev.keelson.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.subresource.Subresources;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.registry.write.Deleted;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What each verb and subresource passes through in admission, and with which attributes. */
@Timeout(120)
class AdmissionPassageTest {

  private static final WriteOptions DRY_RUN = WriteOptions.DRY_RUN;

  private final List<String> passed = new ArrayList<>();
  private UnaryOperator<ApiObject> mutation = object -> object;

  /** The objects and the stored objects that the validating phase saw, of the last request. */
  private final List<@Nullable ApiObject> validated = new ArrayList<>();

  private final LocalApi api;
  private final Subresources actions;

  /** Records what it sees. */
  private final class Recorder implements Admission {
    @Override
    public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
      // as a webhook sees it
      ApiObject whole = call.recorded(object);
      record("mutate", call.withObject(whole));
      return mutation.apply(whole);
    }

    @Override
    public void mutateDelete(AdmissionAttributes call) {
      record("mutate", call);
    }

    @Override
    public void validate(AdmissionAttributes call) {
      validated.clear();
      validated.add(call.object());
      validated.add(call.current());
      record("validate", call);
    }

    private void record(String phase, AdmissionAttributes call) {
      ApiObject object = call.object();
      ApiObject current = call.current();
      passed.add(
          String.join(
              " ",
              phase,
              call.operation().name(),
              call.definition().gvr().resource()
                  + (call.subresource().isEmpty() ? "" : "/" + call.subresource()),
              call.kind().kind(),
              "'" + call.namespace() + "'",
              "'" + call.name() + "'",
              object == null ? "-" : object.kind(),
              current == null ? "-" : current.kind(),
              call.options().text("kind"),
              call.dryRun() ? "dry" : "wet"));
    }
  }

  AdmissionPassageTest(@TempDir Path directory) {
    api = LocalApi.open(directory, new Recorder());
    actions = Subresources.of(api.registry(), api.codec(), api.catalog(), api.clock());
    passed.clear();
  }

  @AfterEach
  void close() {
    api.close();
  }

  private Collection pods() {
    return api.collection("v1", "pods", "default");
  }

  private ApiObject pod() {
    ApiObject created = api.create("v1", "pods", "default", "{'metadata':{'name':'p'}}");
    passed.clear();
    return created;
  }

  private ApiObject deployment() {
    ApiObject created =
        api.create(
            "apps/v1",
            "deployments",
            "default",
            "{'metadata':{'name':'d'},'spec':{'replicas':1,'selector':{'matchLabels':{'a':'b'}}}}");
    passed.clear();
    return created;
  }

  private void expect(String... expected) {
    assertThat(passed).containsExactly(expected);
  }

  private void expectBoth(String attributes) {
    expect("mutate " + attributes, "validate " + attributes);
  }

  @Test
  void create_ofAPod() {
    ApiObject unused = api.create("v1", "pods", "default", "{'metadata':{'name':'p'}}");

    expectBoth("CREATE pods Pod 'default' 'p' Pod - CreateOptions wet");
  }

  @Test
  void create_withGenerateName_isNamedBetweenThePhases() {
    ApiObject created = api.create("v1", "pods", "default", "{'metadata':{'generateName':'g-'}}");

    expect(
        "mutate CREATE pods Pod 'default' '' Pod - CreateOptions wet",
        "validate CREATE pods Pod 'default' '"
            + created.meta().name()
            + "' Pod - CreateOptions wet");
  }

  @Test
  void create_ofANamespace_isInItself() {
    ApiObject unused = api.create("v1", "namespaces", "", "{'metadata':{'name':'n'}}");

    expectBoth("CREATE namespaces Namespace 'n' 'n' Namespace - CreateOptions wet");
  }

  @Test
  void create_asADryRun() {
    StoredObject unused =
        api.registry()
            .create(pods(), api.object("v1", "pods", "{'metadata':{'name':'p'}}"), DRY_RUN);

    expectBoth("CREATE pods Pod 'default' 'p' Pod - CreateOptions dry");
  }

  @Test
  void create_seesWhatWasSent_andStoresWhatWasMadeOfIt() {
    List<ApiObject> seen = new ArrayList<>();
    mutation =
        object -> {
          seen.add(object);
          return object.withMeta(object.meta().withText("name", "other"));
        };

    ApiObject created = api.create("v1", "pods", "default", "{'metadata':{'name':'p','uid':'u'}}");

    assertThat(seen.getFirst().meta().uid()).isEmpty();
    assertThat(seen.getFirst().meta().node().has("creationTimestamp")).isFalse();
    assertThat(seen.getFirst().meta().node().has("managedFields")).isTrue();
    assertThat(created.meta().name()).isEqualTo("other");
    assertThat(created.meta().uid()).isNotEmpty();
  }

  @Test
  void create_intoAnotherNamespace_isRefused() {
    mutation = object -> object.withMeta(object.meta().withText("namespace", "other"));

    assertThatThrownBy(() -> api.create("v1", "pods", "default", "{'metadata':{'name':'p'}}"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("does not match the namespace sent on the request");
  }

  @Test
  void invalidManagedFields_areRestoredWithAWarning() {
    List<String> warnings = new ArrayList<>();
    mutation =
        object ->
            object.withMeta(
                object
                    .meta()
                    .with(
                        "managedFields",
                        new Node.Items(List.of(MapNode.of("manager", Node.text("m"))))));

    ApiObject created =
        api.served(
            api.registry()
                .create(
                    pods(),
                    api.object("v1", "pods", "{'metadata':{'name':'p','labels':{'a':'b'}}}"),
                    new WriteOptions(false, "me", WriteOptions.SERVER, warnings::add)));

    assertThat(warnings)
        .containsExactly(
            ".metadata.managedFields was in an invalid state after admission; this could be caused"
                + " by an outdated mutating admission controller; please fix your requests:"
                + " operation must be `Apply` or `Update`");
    assertThat(created.meta().node().items("managedFields")).hasSize(1);
    assertThat(created.meta().node().maps("managedFields").getFirst().text("manager"))
        .isEqualTo("me");
  }

  @Test
  void update_ofAPod() {
    ApiObject pod = pod();

    ApiObject unused = api.replace("v1", "pods", "default", "p", pod);

    expectBoth("UPDATE pods Pod 'default' 'p' Pod Pod UpdateOptions wet");
  }

  @Test
  void update_isValidatedWithTheVersionThatItReplaces() {
    ApiObject pod = pod();
    String version = pod.meta().resourceVersion();

    ApiObject unused =
        api.replace(
            "v1", "pods", "default", "p", pod.withMeta(pod.meta().without("resourceVersion")));

    assertThat(validated)
        .extracting(object -> object == null ? "" : object.meta().resourceVersion())
        .containsExactly(version, version);
  }

  @Test
  void update_cannotMutateTheStatus() {
    ApiObject pod = pod();
    mutation = object -> object.with("status", MapNode.of("phase", Node.text("Running")));

    ApiObject updated = api.replace("v1", "pods", "default", "p", pod);

    assertThat(updated.root().map("status").text("phase")).isEqualTo("Pending");
  }

  @Test
  void update_ofAMissingLease_isACreate() {
    ApiObject lease =
        api.object(
            "coordination.k8s.io/v1", "leases", "{'metadata':{'name':'l','namespace':'default'}}");

    ApiObject unused = api.replace("coordination.k8s.io/v1", "leases", "default", "l", lease);

    expectBoth("CREATE leases Lease 'default' 'l' Lease - CreateOptions wet");
  }

  @Test
  void update_ofAMissingPod_isNotAdmitted() {
    ApiObject pod = api.object("v1", "pods", "{'metadata':{'name':'x','namespace':'default'}}");

    assertThatThrownBy(() -> api.replace("v1", "pods", "default", "x", pod))
        .isInstanceOf(ApiException.class)
        .hasMessage("pods \"x\" not found");
    assertThat(passed).isEmpty();
  }

  @Test
  void updateOfTheStatus() {
    ApiObject pod = pod();

    StoredObject unused = api.registry().replaceStatus(pods(), "p", pod, WriteOptions.PERSIST);

    expectBoth("UPDATE pods/status Pod 'default' 'p' Pod Pod UpdateOptions wet");
  }

  @Test
  void updateOfTheScale_isOfAScale() {
    ApiObject unused = deployment();
    Collection deployments = api.collection("apps/v1", "deployments", "default");
    ApiObject scale =
        api.registry()
            .served(actions.scales().get(deployments, "d"))
            .with("spec", MapNode.of("replicas", new Node.Int(3)));
    mutation = object -> object.with("spec", MapNode.of("replicas", new Node.Int(5)));

    StoredObject scaled = actions.scales().replace(deployments, "d", scale, WriteOptions.PERSIST);

    expectBoth("UPDATE deployments/scale Scale 'default' 'd' Scale Scale UpdateOptions wet");
    assertThat(api.registry().served(scaled).root().map("spec").get("replicas"))
        .isEqualTo(new Node.Int(5));
  }

  @Test
  void binding_isACreateOfABinding() {
    ApiObject unused = pod();
    ApiObject binding =
        api.object(
            "v1", "bindings", "{'metadata':{'name':'p'},'target':{'kind':'Node','name':'n'}}");

    actions.binding().bind(pods(), "binding", pods(), "p", binding, WriteOptions.PERSIST);

    expectBoth("CREATE pods/binding Binding 'default' 'p' Binding - CreateOptions wet");
  }

  @Test
  void eviction_isACreateOfAnEviction_andItsStepsAreNotAdmitted() {
    ApiObject unused = pod();
    ApiObject eviction =
        new ApiObject(MapNode.of("metadata", MapNode.of("name", Node.text("p"))))
            .withType("policy/v1", "Eviction");

    ApiObject admitted = actions.eviction().admit(pods(), "p", eviction, WriteOptions.PERSIST);
    actions.eviction().evict(pods(), "p", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST);

    // kube-apiserver sets the namespace of what is created before admission
    assertThat(admitted)
        .isEqualTo(eviction.withMeta(eviction.meta().withText("namespace", "default")));
    expectBoth("CREATE pods/eviction Eviction 'default' 'p' Eviction - CreateOptions wet");
  }

  @Test
  void connect_hasNoOptions() {
    ApiObject options = new ApiObject(MapNode.EMPTY).withType("v1", "PodExecOptions");

    ApiObject admitted =
        api.registry()
            .admitUnstored(Verb.CONNECT, pods(), "exec", "p", options, WriteOptions.PERSIST);

    assertThat(admitted).isEqualTo(options);
    expectBoth("CONNECT pods/exec PodExecOptions 'default' 'p' PodExecOptions -  wet");
  }

  @Test
  void delete_passesBothPhases() {
    ApiObject deployment = deployment();

    assertThat(
            api.registry()
                .delete(
                    api.collection("apps/v1", "deployments", "default"),
                    "d",
                    DeleteQuery.UNCONDITIONAL,
                    WriteOptions.PERSIST)
                .gone())
        .isTrue();

    expectBoth("DELETE deployments Deployment 'default' 'd' - Deployment DeleteOptions wet");
    ApiObject deleted = Objects.requireNonNull(validated.getLast());
    assertThat(deleted.meta().resourceVersion()).isEqualTo(deployment.meta().resourceVersion());
  }

  @Test
  void delete_ofAPodThatIsEnding_isNotAdmitted() {
    ApiObject unused =
        api.create("v1", "pods", "default", "{'metadata':{'name':'p'},'spec':{'nodeName':'n'}}");
    passed.clear();

    assertThat(deletePod().gone()).isFalse();
    expectBoth("DELETE pods Pod 'default' 'p' - Pod DeleteOptions wet");
    passed.clear();

    assertThat(deletePod().gone()).isFalse();
    expect();
  }

  private Deleted deletePod() {
    return api.registry().delete(pods(), "p", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST);
  }

  @Test
  void deleteCollection_isADeleteOfEachObjectWithoutAName() {
    ApiObject unused = deployment();

    assertThat(
            api.registry()
                .deleteCollection(
                    api.collection("apps/v1", "deployments", "default"),
                    ListQuery.ALL,
                    ListPage.WHOLE,
                    DeleteQuery.UNCONDITIONAL,
                    WriteOptions.PERSIST,
                    1)
                .all())
        .hasSize(1);

    expectBoth("DELETE deployments Deployment 'default' '' - Deployment DeleteOptions wet");
  }
}
