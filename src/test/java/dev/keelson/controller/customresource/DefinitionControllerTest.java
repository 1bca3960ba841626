package dev.keelson.controller.customresource;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.ObjectEvent;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.registry.read.WatchQuery;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two controllers on one store, as two servers have them. */
@Timeout(60)
class DefinitionControllerTest {

  private static final String VERSION = "apiextensions.k8s.io/v1";
  private static final String RESOURCE = "customresourcedefinitions";

  private final LocalApi api;
  private final ResourceClient client;
  private final Server first;
  private final Server second;

  DefinitionControllerTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    client = new LocalResourceClient(api.catalog(), api.registry());
    List<ResourceDefinition> builtIn = List.copyOf(api.catalog().snapshot().all());
    first = new Server(api, api.catalog(), builtIn);
    second = new Server(api, new ResourceCatalog(builtIn), builtIn);
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
    api.close();
  }

  /** Those that preserve unknown fields are not structural; those of kind Odd are unreadable. */
  private static Optional<StructuralCheck.Violation> violation(MapNode definition) {
    MapNode spec = definition.map("spec");
    return spec.get("preserveUnknownFields") == Node.Bool.TRUE
        ? Optional.of(
            new StructuralCheck.Violation(!spec.map("names").text("kind").equals("Odd"), "bad"))
        : Optional.empty();
  }

  /** A server's controller with its feed of definitions. */
  private static final class Server implements AutoCloseable {
    private final ResourceCatalog catalog;
    private final List<ResourceDefinition> builtIn;
    private final DefinitionController controller;
    private final Semaphore more = new Semaphore(1);
    private final ObjectWatch watch;
    private final Thread thread;
    private final Map<String, ApiObject> known = new TreeMap<>();
    private final LocalApi api;

    Server(LocalApi api, ResourceCatalog catalog, List<ResourceDefinition> builtIn) {
      this.api = api;
      this.catalog = catalog;
      this.builtIn = builtIn;
      controller =
          new DefinitionController(
              catalog,
              new LocalResourceClient(catalog, api.registry()),
              DefinitionControllerTest::violation,
              api.clock());
      WatchQuery all = new WatchQuery(ListQuery.ALL, new WatchQuery.Start.Objects(ReadVersion.ANY));
      watch = api.registry().watch(api.collection(VERSION, RESOURCE, ""), all, more::release);
      thread = Thread.ofVirtual().unstarted(this::follow);
    }

    void start() {
      thread.start();
    }

    private void follow() {
      try {
        while (true) {
          more.acquire();
          ObjectWatch.Batch batch = watch.poll(100);
          if (batch.more()) {
            more.release();
          }
          batch.events().forEach(this::learn);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void learn(ObjectEvent event) {
      ApiObject object = api.served(event.object());
      String name = object.meta().name();
      boolean gone = event.type() == ObjectEvent.Type.DELETED;
      if (gone) {
        known.remove(name);
      } else {
        known.put(name, object);
      }
      List<ResourceDefinition> rows = new ArrayList<>(builtIn);
      for (ApiObject definition : known.values()) {
        if (Definition.of(definition).isTrue("Established")) {
          rows.addAll(CustomTypes.rows(definition.root()));
        }
      }
      catalog.replaceAll(rows);
      if (gone) {
        controller.gone(name);
      } else {
        controller.changed(object);
      }
    }

    @Override
    public void close() {
      thread.interrupt();
      watch.close();
      controller.close();
    }
  }

  private void start() {
    first.start();
    second.start();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void created_isEstablishedByOneWrite(boolean beforeStart) {
    if (!beforeStart) {
      start();
    }
    ApiObject created = create("pines", "Pine");
    if (beforeStart) {
      start();
    }

    awaitEstablished("pines");

    ApiObject established = get("pines");
    assertThat(Long.parseLong(established.meta().resourceVersion()))
        .isEqualTo(Long.parseLong(created.meta().resourceVersion()) + 1);
    assertThat(established.root().map("status").map("acceptedNames"))
        .isEqualTo(created.root().map("spec").map("names"));
    assertThat(conditions("pines"))
        .containsExactly(
            "NamesAccepted True NoConflicts: no conflicts found",
            "Established True InitialNamesAccepted: the initial names have been accepted");
    assertThat(established.meta().generation()).isEqualTo(created.meta().generation());
  }

  @Test
  void kindOfAnother_isNotAccepted_untilTheOtherGoes() {
    start();
    ApiObject one = create("pines", "Tree");
    awaitEstablished("pines");

    ApiObject other = create("oaks", "Tree");

    Eventually.assertEventually(
        () ->
            assertThat(conditions("oaks"))
                .containsExactly(
                    "NamesAccepted False ListKindConflict: \"TreeList\" is already in use",
                    "Established False NotAccepted: not all names are accepted"));
    assertThat(get("oaks").root().map("status").map("acceptedNames").text("plural"))
        .isEqualTo("oaks");
    delete(one);
    awaitEstablished("oaks");
    assertThat(other.meta().uid()).isEqualTo(get("oaks").meta().uid());
  }

  @Test
  void definitionsThatAreCreatedTogether_neverShareAName() {
    start();
    List<String> plurals = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      plurals.add("trees" + i);
    }

    plurals.parallelStream()
        .forEach(
            plural -> {
              ApiObject created = create(plural, "Tree");
              assertThat(created.meta().name()).startsWith(plural);
            });

    Eventually.assertEventually(
        () ->
            assertThat(plurals)
                .allMatch(plural -> Definition.of(get(plural)).condition("Established").isPresent())
                .anyMatch(plural -> Definition.of(get(plural)).isTrue("Established")));
    assertThat(plurals.stream().filter(p -> Definition.of(get(p)).isTrue("Established")))
        .hasSize(1);
    assertThat(plurals.stream().filter(p -> Definition.of(get(p)).accepted().kind().equals("Tree")))
        .hasSize(1);
  }

  @Test
  void namesOfABuiltInResource_areInUse() {
    start();
    ApiObject created = create("apps", "controllers", "Deployment");

    Eventually.assertEventually(
        () ->
            assertThat(Definition.of(definition(created.meta().name())).condition("NamesAccepted"))
                .hasValueSatisfying(
                    condition ->
                        assertThat(condition.message())
                            .isEqualTo("\"DeploymentList\" is already in use")));
    assertThat(Definition.of(definition(created.meta().name())).isTrue("Established")).isFalse();
  }

  @Test
  void protectedGroup_isToldOfItsApproval() {
    start();
    ApiObject created = create("x.k8s.io", "pines", "Pine");
    String name = created.meta().name();
    Eventually.assertEventually(
        () ->
            assertThat(conditionsOf(name))
                .element(0)
                .asString()
                .startsWith("KubernetesAPIApprovalPolicyConformant False MissingAnnotation: "));

    Optional<ApiObject> approved =
        client.change(
            Definition.RESOURCE,
            "",
            name,
            object ->
                object.withMeta(
                    object
                        .meta()
                        .with(
                            "annotations",
                            MapNode.ofTexts(
                                Map.of(ApprovalPolicy.ANNOTATION, "https://x.org/1")))));

    assertThat(approved).isPresent();
    Eventually.assertEventually(
        () ->
            assertThat(conditionsOf(name))
                .containsExactly(
                    "KubernetesAPIApprovalPolicyConformant True ApprovedAnnotation: approved in"
                        + " https://x.org/1",
                    "NamesAccepted True NoConflicts: no conflicts found",
                    "Established True InitialNamesAccepted: the initial names have been"
                        + " accepted"));
  }

  @Test
  void changedNames_areAccepted_andTheOldOnesAreFree() {
    start();
    ApiObject unused = create("pines", "Pine");
    awaitEstablished("pines");
    ApiObject waiting = create("oaks", "Pine");
    Eventually.assertEventually(() -> assertThat(conditions("oaks")).isNotEmpty());

    rename("pines", "Fir");

    awaitEstablished("oaks");
    assertThat(get("pines").root().map("status").map("acceptedNames").text("kind"))
        .isEqualTo("Fir");
    assertThat(unused.meta().uid()).isNotEqualTo(waiting.meta().uid());
  }

  @Test
  void deleted_goesAfterItsObjects_whoseFinalizersAreRespected() {
    start();
    ApiObject definition = create("pines", "Pine");
    awaitEstablished("pines");
    GroupVersionResource pines = resource("pines");
    Eventually.assertEventually(
        () -> assertThat(second.catalog.snapshot().find(pines)).isPresent());
    ApiObject held = object("held", List.of("x.org/hold"));
    ApiObject loose = object("loose", List.of());

    delete(definition);

    Eventually.assertEventually(
        () ->
            assertThat(conditions("pines"))
                .contains(
                    "Terminating True InstanceDeletionInProgress: CustomResource deletion is in"
                        + " progress"));
    Eventually.assertEventually(
        () -> assertThat(client.get(pines, "default", loose.meta().name())).isEmpty());
    assertThat(client.get(pines, "default", "held").orElseThrow().meta().deleting()).isTrue();
    assertThat(get("pines").meta().finalizers()).containsExactly(Definition.FINALIZER);
    Optional<ApiObject> released =
        client.change(
            pines,
            "default",
            held.meta().name(),
            object -> object.withMeta(object.meta().without("finalizers")));
    assertThat(released).isPresent();
    awaitGone("pines");
  }

  @Test
  void deletedRightAfterItsCreation_goes() {
    start();
    for (int i = 0; i < 20; i++) {
      ApiObject created = create("pines" + i, "Pine" + i);
      delete(created);
    }

    for (int i = 0; i < 20; i++) {
      awaitGone("pines" + i);
    }
  }

  @Test
  void deleteOfADefinition_marksIt() {
    ApiObject created = create("pines", "Pine");

    delete(created);

    ApiObject marked = get("pines");
    assertThat(marked.meta().deleting()).isTrue();
    assertThat(marked.meta().finalizers()).containsExactly(Definition.FINALIZER);
    assertThat(marked.meta().generation()).isEqualTo(created.meta().generation());
    assertThat(conditions("pines"))
        .containsExactly(
            "Terminating True InstanceDeletionPending: CustomResourceDefinition marked for"
                + " deletion; CustomResource deletion will begin soon");
  }

  @Test
  void schemaThatIsNotStructural_isToldUntilItIs() {
    start();
    String preserving = ",'preserveUnknownFields':true";
    String name = create("example.com", "pines", "Pine", preserving).meta().name();
    String odd = create("example.com", "odds", "Odd", preserving).meta().name();
    Eventually.assertEventually(
        () ->
            assertThat(conditionsOf(name))
                .contains("NonStructuralSchema True Violations: bad")
                .contains(
                    "Established True InitialNamesAccepted: the initial names have been accepted"));
    Eventually.assertEventually(
        () ->
            assertThat(conditionsOf(odd))
                .contains("NonStructuralSchema Unknown StructuralError: bad"));

    Optional<ApiObject> mended =
        client.change(
            Definition.RESOURCE,
            "",
            name,
            object ->
                object.with("spec", object.root().map("spec").without("preserveUnknownFields")));

    assertThat(mended).isPresent();
    Eventually.assertEventually(
        () -> assertThat(conditionsOf(name)).noneMatch(told -> told.startsWith("NonStructural")));
  }

  @Test
  void definitionWithInvalidCaBundle_isNotEstablished() {
    start();
    ApiObject unused =
        create(
            "example.com",
            "pines",
            "Pine",
            ",'conversion':{'strategy':'Webhook','webhook':{'clientConfig':{'url':'https://x.org',"
                + "'caBundle':'bm9uZQ=='},'conversionReviewVersions':['v1']}}");

    Eventually.assertEventually(
        () ->
            assertThat(conditions("pines"))
                .contains(
                    "Established False InvalidCABundle: The conversion webhook CABundle is"
                        + " invalid"));
    assertThat(unused.meta().name()).isEqualTo("pines.example.com");
  }

  private ApiObject create(String plural, String kind) {
    return create("example.com", plural, kind);
  }

  private ApiObject create(String group, String plural, String kind) {
    return create(group, plural, kind, "");
  }

  private ApiObject create(String group, String plural, String kind, String more) {
    return api.create(
        VERSION,
        RESOURCE,
        "",
        ("{'metadata':{'name':'%s.%s'},'spec':{'group':'%s','scope':'Namespaced',"
                + "'names':{'plural':'%s','singular':'%s','kind':'%s','listKind':'%sList'},"
                + "'versions':[{'name':'v1','served':true,'storage':true,'schema':{"
                + "'openAPIV3Schema':{'type':'object',"
                + "'x-kubernetes-preserve-unknown-fields':true}}}]%s}}")
            .formatted(plural, group, group, plural, plural + "one", kind, kind, more));
  }

  private void rename(String plural, String kind) {
    Optional<ApiObject> renamed =
        client.change(
            Definition.RESOURCE,
            "",
            plural + ".example.com",
            object -> {
              MapNode spec = object.root().map("spec");
              MapNode names =
                  spec.map("names")
                      .with("kind", Node.text(kind))
                      .with("listKind", Node.text(kind + "List"));
              return object.with("spec", spec.with("names", names));
            });
    assertThat(renamed).isPresent();
  }

  private void delete(ApiObject definition) {
    client.delete(
        Definition.RESOURCE,
        "",
        definition.meta().name(),
        new DeleteRequest(definition.meta().uid(), "", Dependents.DEFAULT));
  }

  private ApiObject object(String name, List<String> finalizers) {
    MapNode metadata =
        MapNode.of("name", Node.text(name)).with("finalizers", Node.texts(finalizers));
    return client.create(
        resource("pines"),
        "default",
        new ApiObject(MapNode.of("metadata", metadata)).withType("example.com/v1", "Pine"));
  }

  private static GroupVersionResource resource(String plural) {
    return new GroupVersion("example.com", "v1").resource(plural);
  }

  private ApiObject get(String plural) {
    return definition(plural + ".example.com");
  }

  private ApiObject definition(String name) {
    return client.get(Definition.RESOURCE, "", name).orElseThrow();
  }

  private List<String> conditions(String plural) {
    return conditionsOf(plural + ".example.com");
  }

  private List<String> conditionsOf(String name) {
    return Definition.of(definition(name)).conditions().stream()
        .map(c -> c.type() + " " + c.status() + " " + c.reason() + ": " + c.message())
        .toList();
  }

  private void awaitEstablished(String plural) {
    Eventually.assertEventually(
        () -> assertThat(Definition.of(get(plural)).isTrue("Established")).isTrue());
    Eventually.assertEventually(
        () -> assertThat(api.catalog().snapshot().find(resource(plural))).isPresent());
  }

  private void awaitGone(String plural) {
    Eventually.assertEventually(
        () -> assertThat(client.get(Definition.RESOURCE, "", plural + ".example.com")).isEmpty());
  }
}
