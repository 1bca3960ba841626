package dev.keelson.registry.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.Collection;
import dev.keelson.registry.RegistryTest;
import dev.keelson.registry.WriteOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplacementTest extends RegistryTest {

  private static final String POD =
      "{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}";

  private ApiObject map = new ApiObject(MapNode.EMPTY);

  ReplacementTest(@TempDir Path directory) {
    super(directory);
  }

  @BeforeEach
  void create() {
    map = api.create("v1", "configmaps", "default", "{'metadata':{'name':'a'},'data':{'k':'1'}}");
  }

  @Test
  void replace_storesTheNewStateAtANewRevision() {
    ApiObject replaced = replace(withData(map, "2"));

    assertThat(data(replaced)).isEqualTo("2");
    assertThat(Long.parseLong(replaced.meta().resourceVersion()))
        .isGreaterThan(Long.parseLong(map.meta().resourceVersion()));
    assertThat(replaced.meta().uid()).isEqualTo(map.meta().uid());
    assertThat(api.get("v1", "configmaps", "default", "a")).isEqualTo(replaced);
  }

  @Test
  void replace_withTheSameState_writesNothing() {
    long before = api.store().revision();

    ApiObject replaced = replace(map);

    assertThat(replaced).isEqualTo(map);
    assertThat(api.store().revision()).isEqualTo(before);
  }

  @Test
  void replace_atAnOldRevision_conflicts() {
    ApiObject newer = replace(withData(map, "2"));

    ApiException refusal = refusal(Reason.CONFLICT, () -> replace(withData(map, "3")));

    assertThat(refusal)
        .hasMessage(
            "Operation cannot be fulfilled on configmaps \"a\": the object has been modified;"
                + " please apply your changes to the latest version and try again");
    assertThat(refusal.details().kind()).isEqualTo("configmaps");
    assertThat(api.get("v1", "configmaps", "default", "a")).isEqualTo(newer);
  }

  @Test
  void replace_atARevisionThatIsNoNumber_isInvalid() {
    assertThat(causes(() -> replace(map.withMeta(map.meta().withText("resourceVersion", "x1")))))
        .singleElement()
        .asString()
        .startsWith("metadata.resourceVersion: Invalid value: \"x1\": ");
  }

  @Test
  void replace_withoutARevision_takesTheNewestState() {
    ApiObject newer = replace(withData(map, "2"));

    ApiObject replaced = replace(withoutRevision(withData(map, "3")));

    assertThat(data(replaced)).isEqualTo("3");
    assertThat(replaced.meta().uid()).isEqualTo(newer.meta().uid());
  }

  @Test
  void replace_withoutARevisionWhereOneIsNeeded_isInvalid() {
    ApiObject lease =
        api.create("coordination.k8s.io/v1", "leases", "default", "{'metadata':{'name':'l'}}");

    ApiException refusal =
        refusal(
            Reason.INVALID,
            () ->
                api.replace(
                    "coordination.k8s.io/v1", "leases", "default", "l", withoutRevision(lease)));

    assertThat(refusal)
        .hasMessage(
            "leases.coordination.k8s.io \"l\" is invalid: metadata.resourceVersion: Invalid value:"
                + " 0x0: must be specified for an update");
    assertThat(refusal.details().kind()).isEqualTo("leases");
  }

  @Test
  void replace_withAnotherUid_conflicts() {
    refusal(
        Reason.CONFLICT,
        () -> replace(withoutRevision(map.withMeta(map.meta().withText("uid", "another")))));
  }

  @Test
  void replace_keepsWhatTheServerKeeps() {
    ApiObject sent =
        api.object(
            "v1",
            "configmaps",
            "{'metadata':{'name':'a','generation':9,'selfLink':'/x',"
                + "'creationTimestamp':'2001-01-01T00:00:00Z'}}");

    ApiObject replaced = replace(sent);

    assertThat(replaced.meta().uid()).isEqualTo(map.meta().uid());
    assertThat(replaced.meta().creationTimestamp()).isEqualTo(map.meta().creationTimestamp());
    assertThat(replaced.meta().namespace()).isEqualTo("default");
    assertThat(replaced.meta().node().keys()).doesNotContain("generation", "selfLink");
  }

  @Test
  void replace_thatBeginsADeletion_isInvalid() {
    ObjectMeta meta =
        map.meta()
            .withText("deletionTimestamp", "2001-01-01T00:00:00Z")
            .with("deletionGracePeriodSeconds", new Node.Int(1));

    assertThat(causes(() -> replace(map.withMeta(meta))))
        .containsExactly(
            "metadata.deletionTimestamp: Invalid value: \"2001-01-01T00:00:00Z\": field is"
                + " immutable",
            "metadata.deletionGracePeriodSeconds: Invalid value: 1: field is immutable");
  }

  @Test
  void replace_ofWhatIsBeingDeleted_keepsTheTimeAndRefusesAnotherGracePeriod() {
    ApiObject held =
        api.replace(
            "v1",
            "configmaps",
            "default",
            "a",
            map.withMeta(map.meta().with("finalizers", Node.texts(List.of("x.org/hold")))));
    Collection maps = api.collection("v1", "configmaps", "default");
    Deleted marked =
        api.registry().delete(maps, "a", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST);
    ObjectMeta meta = api.served(marked.object()).meta();

    ApiObject changed =
        replace(
            withData(held, "2")
                .withMeta(
                    meta.withText("deletionTimestamp", "2001-01-01T00:00:00Z")
                        .without("resourceVersion")
                        .without("deletionGracePeriodSeconds")));

    assertThat(changed.meta().deletionTimestamp()).isEqualTo(meta.deletionTimestamp());
    assertThat(changed.meta().node().get("deletionGracePeriodSeconds")).isEqualTo(new Node.Int(0));
    assertThat(
            causes(
                () ->
                    replace(
                        changed.withMeta(
                            changed.meta().with("deletionGracePeriodSeconds", new Node.Int(5))))))
        .containsExactly(
            "metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable");
  }

  @Test
  void owners_thatAreNamedTwice_areKeptOnce_andTheClientIsTold() {
    List<String> warnings = new ArrayList<>();
    WriteOptions options = new WriteOptions(false, "me", WriteOptions.SERVER, warnings::add);
    String owner = "{'apiVersion':'v1','kind':'Pod','name':'o','uid':'u'}";
    ApiObject sent =
        api.object(
            "v1",
            "configmaps",
            "{'metadata':{'name':'a','ownerReferences':[%s,%s]}}".formatted(owner, owner));

    Written written =
        api.registry().replace(api.collection("v1", "configmaps", "default"), "a", sent, options);

    assertThat(api.served(written.object()).meta().node().items("ownerReferences")).hasSize(1);
    assertThat(warnings)
        .containsExactly(
            ".metadata.ownerReferences contains duplicate entries; API server dedups owner"
                + " references in 1.20+, and may reject such requests as early as 1.24; please fix"
                + " your requests; duplicate UID(s) observed: u");
  }

  @Test
  void replace_thatIsOnlyTooLargeWithItsManagers_isStoredWithoutThem() {
    String data = CreationTest.longKeys();
    ApiObject sent =
        api.object("v1", "configmaps", "{'metadata':{'name':'a'},'data':{%s}}".formatted(data));

    ApiObject replaced = replace(sent);

    assertThat(replaced.root().map("data").size()).isEqualTo(9999);
    assertThat(replaced.meta().node().has("managedFields")).isFalse();
    assertThat(api.get("v1", "configmaps", "default", "a")).isEqualTo(replaced);
  }

  @Test
  void replace_withAPrefixThatIsNoPathSegment_isRefused() {
    assertThat(causes(() -> replace(map.withMeta(map.meta().withText("generateName", "a/")))))
        .containsExactly("metadata.generateName: Invalid value: \"a/\": may not contain '/'");
  }

  @Test
  void replace_underAnotherName_isRefused() {
    ApiException refusal =
        refusal(Reason.BAD_REQUEST, () -> replace(map.withMeta(map.meta().withText("name", "b"))));

    assertThat(refusal)
        .hasMessage("the name of the object (b) does not match the name on the URL (a)");
  }

  @Test
  void replace_withoutName_isRefused() {
    ApiObject nameless = api.object("v1", "configmaps", "{'data':{'k':'5'}}");

    assertThat(refusal(Reason.BAD_REQUEST, () -> replace(nameless)))
        .hasMessage(
            "the name of the object (a based on URL) was undeterminable: name must be provided");
  }

  @Test
  void replace_ofAMissingObject_isNotFound() {
    ApiException refusal =
        refusal(
            Reason.NOT_FOUND,
            () ->
                api.replace(
                    "v1",
                    "configmaps",
                    "default",
                    "b",
                    api.object("v1", "configmaps", "{'metadata':{'name':'b'}}")));

    assertThat(refusal).hasMessage("configmaps \"b\" not found");
  }

  @Test
  void replace_ofAMissingObjectWhereThatIsAllowed_createsIt() {
    Collection leases = api.collection("coordination.k8s.io/v1", "leases", "default");
    ApiObject lease =
        api.object(
            "coordination.k8s.io/v1", "leases", "{'metadata':{'name':'l','resourceVersion':'77'}}");

    Written written = api.registry().replace(leases, "l", lease, WriteOptions.PERSIST);

    assertThat(written.created()).isTrue();
    assertThat(api.served(written.object()).meta().uid()).isNotEmpty();
    ApiObject stored = api.get("coordination.k8s.io/v1", "leases", "default", "l");
    assertThat(api.registry().replace(leases, "l", stored, WriteOptions.PERSIST).created())
        .isFalse();
  }

  @Test
  void replace_ofAMissingObjectWithAUid_conflicts() {
    refusal(
        Reason.CONFLICT,
        () ->
            api.replace(
                "coordination.k8s.io/v1",
                "leases",
                "default",
                "l",
                api.object(
                    "coordination.k8s.io/v1", "leases", "{'metadata':{'name':'l','uid':'x'}}")));
  }

  @Test
  void replace_ofAMissingObjectInAMissingNamespace_namesTheNamespace() {
    ApiException refusal =
        refusal(
            Reason.NOT_FOUND,
            () ->
                api.replace(
                    "coordination.k8s.io/v1",
                    "leases",
                    "nowhere",
                    "l",
                    api.object("coordination.k8s.io/v1", "leases", "{'metadata':{'name':'l'}}")));

    assertThat(refusal).hasMessage("namespaces \"nowhere\" not found");
  }

  @Test
  void replace_ofWhatAPutCannotCreate_namesTheMissingNamespaceToo() {
    ApiObject sent = api.object("v1", "configmaps", "{'metadata':{'name':'c'}}");
    ApiObject pod = api.object("v1", "pods", "{'metadata':{'name':'p'}}");
    Collection pods = api.collection("v1", "pods", "nowhere");

    ApiException refusal =
        refusal(Reason.NOT_FOUND, () -> api.replace("v1", "configmaps", "nowhere", "c", sent));
    ApiException ofStatus =
        refusal(
            Reason.NOT_FOUND,
            () -> api.registry().replaceStatus(pods, "p", pod, WriteOptions.PERSIST));

    assertThat(refusal).hasMessage("namespaces \"nowhere\" not found");
    assertThat(ofStatus).hasMessage("namespaces \"nowhere\" not found");
  }

  @Test
  void replace_ofTheSpec_raisesTheGeneration_andOfTheRestNot() {
    ApiObject first =
        api.create(
            "apps/v1", "deployments", "default", "{'metadata':{'name':'d'},'spec':{'replicas':1}}");

    ApiObject labelled =
        api.replace(
            "apps/v1",
            "deployments",
            "default",
            "d",
            first.withMeta(first.meta().with("labels", MapNode.of("x", Node.text("y")))));
    ApiObject scaled =
        api.replace(
            "apps/v1",
            "deployments",
            "default",
            "d",
            labelled.with("spec", labelled.root().map("spec").with("replicas", new Node.Int(2))));

    assertThat(first.meta().generation()).isEqualTo(1);
    assertThat(labelled.meta().generation()).isEqualTo(1);
    assertThat(scaled.meta().generation()).isEqualTo(2);
  }

  @Test
  void replace_leavesTheStatusAlone_andReplaceStatusTheRest() {
    ApiObject pod = api.create("v1", "pods", "default", POD);
    Collection pods = api.collection("v1", "pods", "default");
    ApiObject wanted =
        pod.with("status", MapNode.of("phase", Node.text("Running")))
            .with("spec", pod.root().map("spec").with("nodeName", Node.text("n1")))
            .withMeta(pod.meta().with("labels", MapNode.of("x", Node.text("y"))));

    ApiObject afterStatus =
        api.served(api.registry().replaceStatus(pods, "p", wanted, WriteOptions.PERSIST));
    ApiObject afterMain =
        api.replace(
            "v1",
            "pods",
            "default",
            "p",
            withoutRevision(wanted.with("status", MapNode.of("phase", Node.text("Failed")))));

    assertThat(afterStatus.root().map("status").text("phase")).isEqualTo("Running");
    assertThat(afterStatus.root().map("spec").has("nodeName")).isFalse();
    assertThat(afterStatus.meta().labels()).containsEntry("x", "y");
    assertThat(afterStatus.meta().generation()).isEqualTo(1);
    assertThat(afterMain.root().map("status").text("phase")).isEqualTo("Running");
    assertThat(afterMain.root().map("spec").text("nodeName")).isEqualTo("n1");
    assertThat(afterMain.meta().labels()).containsEntry("x", "y");
    assertThat(afterMain.meta().generation()).isEqualTo(2);
  }

  @Test
  void replaceStatus_keepsTheLabelsOfADeployment_andTheOwnersOfAPod() {
    ApiObject deployment =
        api.create(
            "apps/v1",
            "deployments",
            "default",
            "{'metadata':{'name':'d'},'spec':{'selector':{'matchLabels':{'a':'b'}},'template':"
                + "{'metadata':{'labels':{'a':'b'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}");
    ApiObject labelled =
        deployment.withMeta(deployment.meta().with("labels", MapNode.of("x", Node.text("y"))));
    ApiObject pod = api.create("v1", "pods", "default", POD);
    MapNode owner =
        MapNode.of("apiVersion", Node.text("v1"))
            .with("kind", Node.text("Pod"))
            .with("name", Node.text("o"))
            .with("uid", Node.text("u"));
    ApiObject owned =
        pod.withMeta(pod.meta().with("ownerReferences", new Node.Items(List.of(owner))));

    ApiObject afterLabel =
        api.served(
            api.registry()
                .replaceStatus(
                    api.collection("apps/v1", "deployments", "default"),
                    "d",
                    labelled,
                    WriteOptions.PERSIST));
    ApiObject afterOwner =
        api.served(
            api.registry()
                .replaceStatus(
                    api.collection("v1", "pods", "default"), "p", owned, WriteOptions.PERSIST));

    assertThat(afterLabel.meta().labels()).isEmpty();
    assertThat(afterOwner.meta().node().items("ownerReferences")).isEmpty();
  }

  @Test
  void replaceStatus_atAnOldRevision_conflicts_andOfAMissingObject_isNotFound() {
    ApiObject pod = api.create("v1", "pods", "default", POD);
    Collection pods = api.collection("v1", "pods", "default");
    ApiObject newer =
        api.served(
            api.registry()
                .replaceStatus(
                    pods,
                    "p",
                    pod.with("status", MapNode.of("phase", Node.text("Running"))),
                    WriteOptions.PERSIST));

    refusal(
        Reason.CONFLICT, () -> api.registry().replaceStatus(pods, "p", pod, WriteOptions.PERSIST));
    refusal(
        Reason.NOT_FOUND,
        () ->
            api.registry()
                .replaceStatus(
                    pods,
                    "q",
                    newer.withMeta(newer.meta().withText("name", "q").without("uid")),
                    WriteOptions.PERSIST));
  }

  @Test
  void replace_inDryRun_leavesNoTrace() {
    long before = api.store().revision();

    Written tried =
        api.registry()
            .replace(
                api.collection("v1", "configmaps", "default"),
                "a",
                withData(map, "2"),
                WriteOptions.DRY_RUN);

    assertThat(data(api.served(tried.object()))).isEqualTo("2");
    assertThat(api.store().revision()).isEqualTo(before);
    assertThat(api.get("v1", "configmaps", "default", "a")).isEqualTo(map);
  }

  @Test
  void replace_thatCreatesInDryRun_leavesNoTrace() {
    long before = api.store().revision();
    Collection leases = api.collection("coordination.k8s.io/v1", "leases", "default");

    Written tried =
        api.registry()
            .replace(
                leases,
                "l",
                api.object("coordination.k8s.io/v1", "leases", "{'metadata':{'name':'l'}}"),
                WriteOptions.DRY_RUN);

    assertThat(tried.created()).isTrue();
    assertThat(api.store().revision()).isEqualTo(before);
  }

  @Test
  void finalizers_ofAnObjectBeingDeleted_mayOnlyGo() {
    ApiObject held =
        replace(
            map.withMeta(map.meta().with("finalizers", Node.texts(List.of("x.org/a", "x.org/b")))));
    Deleted deleted = delete("a");
    ApiObject marked = api.served(deleted.object());

    assertThat(deleted.gone()).isFalse();
    assertThat(held.meta().deleting()).isFalse();
    assertThat(
            causes(
                () ->
                    replace(
                        marked.withMeta(
                            marked
                                .meta()
                                .with("finalizers", Node.texts(List.of("x.org/a", "x.org/c")))))))
        .containsExactly(
            "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being"
                + " deleted, found new finalizers []string{\"x.org/c\"}");
  }

  @Test
  void finalizers_whenTheLastOneGoes_letTheObjectGo() {
    replace(map.withMeta(map.meta().with("finalizers", Node.texts(List.of("x.org/a", "x.org/b")))));
    api.clock().advance(Duration.ofSeconds(5));
    ApiObject marked = api.served(delete("a").object());

    ApiObject one =
        replace(marked.withMeta(marked.meta().with("finalizers", Node.texts(List.of("x.org/b")))));
    ApiObject last = replace(one.withMeta(one.meta().without("finalizers")));

    assertThat(marked.meta().deletionTimestamp()).isEqualTo("2030-01-02T03:04:10Z");
    assertThat(one.meta().deletionTimestamp()).isEqualTo(marked.meta().deletionTimestamp());
    assertThat(last.meta().finalizers()).isEmpty();
    assertThat(api.registry().find(api.collection("v1", "configmaps", "default"), "a")).isEmpty();
  }

  @Test
  void finalizers_releasedInDryRun_stillHold() {
    replace(map.withMeta(map.meta().with("finalizers", Node.texts(List.of("x.org/a")))));
    ApiObject marked = api.served(delete("a").object());
    long before = api.store().revision();

    Written tried =
        api.registry()
            .replace(
                api.collection("v1", "configmaps", "default"),
                "a",
                marked.withMeta(marked.meta().without("finalizers")),
                WriteOptions.DRY_RUN);

    assertThat(api.served(tried.object()).meta().finalizers()).isEmpty();
    assertThat(api.store().revision()).isEqualTo(before);
  }

  @Test
  void replace_byManyAtOnce_losesNoIncrement() throws Exception {
    int writers = 16;
    int increments = 15;
    List<Future<List<Integer>>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int w = 0; w < writers; w++) {
        all.add(
            threads.submit(
                () -> {
                  List<Integer> written = new ArrayList<>();
                  while (written.size() < increments) {
                    ApiObject current = api.get("v1", "configmaps", "default", "a");
                    int next = Integer.parseInt(data(current)) + 1;
                    try {
                      ApiObject replaced = replace(withData(current, Integer.toString(next)));
                      assertThat(data(replaced)).isEqualTo(Integer.toString(next));
                      written.add(next);
                    } catch (ApiException e) {
                      assertThat(e.reason()).isEqualTo(Reason.CONFLICT);
                    }
                  }
                  return written;
                }));
      }
    }
    List<Integer> written = new ArrayList<>();
    for (Future<List<Integer>> writer : all) {
      written.addAll(writer.get());
    }

    assertThat(written).hasSize(writers * increments).doesNotHaveDuplicates();
    assertThat(data(api.get("v1", "configmaps", "default", "a")))
        .isEqualTo(Integer.toString(1 + writers * increments));
  }

  @Test
  void replace_unconditionallyByManyAtOnce_allSucceed() throws Exception {
    List<Future<ApiObject>> all = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int w = 0; w < 16; w++) {
        String value = "w" + w;
        all.add(threads.submit(() -> replace(withoutRevision(withData(map, value)))));
      }
      for (Future<ApiObject> writer : all) {
        assertThat(data(writer.get())).startsWith("w");
      }
    }

    assertThat(data(api.get("v1", "configmaps", "default", "a"))).startsWith("w");
  }

  @Test
  void replace_thatWouldCreateWhatAnotherCreatesAtThatMoment_replacesIt() {
    Collection endpoints = api.collection("v1", "endpoints", "default");
    ApiObject mine =
        api.object("v1", "endpoints", "{'metadata':{'name':'e','labels':{'by':'me'}}}");
    api.store()
        .beforeNextWrite(
            () -> {
              ApiObject theirs =
                  api.create("v1", "endpoints", "default", "{'metadata':{'name':'e'}}");
              assertThat(theirs.meta().labels()).isEmpty();
            });

    Written written = api.registry().replace(endpoints, "e", mine, WriteOptions.PERSIST);

    assertThat(written.created()).isFalse();
    assertThat(api.get("v1", "endpoints", "default", "e").meta().labels())
        .containsEntry("by", "me");
  }

  @Test
  void replace_thatLosesARace_isRunAgainOnlyWithoutARevision() {
    api.store().beforeNextWrite(() -> assertThat(data(replace(withData(map, "2")))).isEqualTo("2"));
    ApiObject unconditional = replace(withoutRevision(withData(map, "3")));
    api.store()
        .beforeNextWrite(
            () -> assertThat(data(replace(withData(unconditional, "4")))).isEqualTo("4"));

    refusal(Reason.CONFLICT, () -> replace(withData(unconditional, "5")));

    assertThat(data(api.get("v1", "configmaps", "default", "a"))).isEqualTo("4");
  }

  @Test
  void replace_ofAnObjectThatIsDeletedAtThatMoment_isNotFound() {
    api.store().beforeNextWrite(() -> assertThat(delete("a").gone()).isTrue());

    ApiObject nameless = map.withMeta(map.meta().without("uid"));

    refusal(Reason.NOT_FOUND, () -> replace(withData(nameless, "2")));
  }

  @Test
  void replace_ofAnObjectThatIsGone_isAConflict_ifItsUidIsNamed() {
    delete("a");
    Collection maps = api.collection("v1", "configmaps", "default");
    ApiObject pod = new ApiObject(MapNode.of("metadata", map.meta().node()));
    Collection pods = api.collection("v1", "pods", "default");

    ApiException whole = refusal(Reason.CONFLICT, () -> replace(map));
    ApiException status =
        refusal(
            Reason.CONFLICT,
            () -> api.registry().replaceStatus(pods, "a", pod, WriteOptions.PERSIST));

    assertThat(whole)
        .hasMessage(
            "Operation cannot be fulfilled on configmaps \"a\": StorageError: invalid object, Code:"
                + " 4, Key: /registry/configmaps/default/a, ResourceVersion: 0,"
                + " AdditionalErrorMsg: Precondition failed: UID in precondition: "
                + map.meta().uid()
                + ", UID in object meta: ");
    assertThat(status).hasMessageEndingWith("UID in object meta: ");
    ApiObject nameless = map.withMeta(map.meta().without("uid"));
    refusal(
        Reason.NOT_FOUND, () -> api.registry().replace(maps, "a", nameless, WriteOptions.PERSIST));
    refusal(
        Reason.NOT_FOUND,
        () ->
            api.registry()
                .replaceStatus(
                    pods, "a", pod.withMeta(pod.meta().without("uid")), WriteOptions.PERSIST));
  }

  private ApiObject replace(ApiObject object) {
    return api.replace("v1", "configmaps", "default", "a", object);
  }

  private Deleted delete(String name) {
    return api.registry()
        .delete(
            api.collection("v1", "configmaps", "default"),
            name,
            DeleteQuery.UNCONDITIONAL,
            WriteOptions.PERSIST);
  }

  private static ApiObject withoutRevision(ApiObject object) {
    return object.withMeta(object.meta().without("resourceVersion"));
  }

  private static ApiObject withData(ApiObject object, String value) {
    return object.with("data", MapNode.of("k", Node.text(value)));
  }

  private static String data(ApiObject object) {
    return object.root().map("data").text("k");
  }
}
