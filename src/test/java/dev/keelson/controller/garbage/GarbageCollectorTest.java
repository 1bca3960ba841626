package dev.keelson.controller.garbage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.ResourceClient;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class GarbageCollectorTest {

  private final LocalApi api;
  private final ResourceClient client;
  private final GarbageCollector first;
  private final GarbageCollector second;

  /** Two collectors on one store, as two servers have them. */
  GarbageCollectorTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
    client = new LocalResourceClient(api.catalog(), api.registry());
    first = collection();
    second = collection();
  }

  private GarbageCollector collection() {
    return new GarbageCollector(api.catalog(), client, api.ownership(Duration.ZERO), api.clock());
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
    api.close();
  }

  private void start() {
    first.start();
    second.start();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void background_removesWhatTheOwnerOwned_downToTheLeaves(boolean beforeStart) {
    ApiObject owner = create("owner");
    ApiObject middle = create("middle", reference(owner, false));
    ApiObject leaf = create("leaf", reference(middle, false));
    ApiObject other = create("other");
    assertThat(owners(leaf.meta().name())).containsExactly(reference(middle, false));
    if (!beforeStart) {
      start();
    }

    delete(owner, Dependents.BACKGROUND);
    if (beforeStart) {
      start();
    }

    await(() -> !exists("middle") && !exists("leaf"));
    assertThat(exists(other.meta().name())).isTrue();
  }

  @Test
  void dependentOfAnOwnerThatNeverWas_goes() {
    start();

    ApiObject lost = create("lost", reference("ConfigMap", "v1", "ghost", "1-2-3", false));

    await(() -> !exists(lost.meta().name()));
  }

  @Test
  void dependentOfAnOwnerOfTheSameNameButAnotherUid_goes() {
    start();
    ApiObject owner = create("owner");
    ApiObject right = create("right", reference(owner, false));

    ApiObject wrong = create("wrong", reference("ConfigMap", "v1", "owner", "1-2-3", false));

    await(() -> !exists(wrong.meta().name()));
    assertThat(exists(right.meta().name())).isTrue();
  }

  @Test
  void dependentWithAnotherOwner_losesTheReferenceToTheOneThatIsGone() {
    start();
    ApiObject gone = create("gone");
    ApiObject stays = create("stays");
    ApiObject shared = create("shared", reference(gone, true), reference(stays, true));

    delete(gone, Dependents.BACKGROUND);

    await(() -> owners("shared").size() == 1);
    assertThat(owners("shared")).containsExactly(reference(stays, true));
    assertThat(shared.meta().uid()).isEqualTo(get("shared").meta().uid());
  }

  @Test
  void orphan_letsDependentsLive_withoutTheirOwner() {
    start();
    ApiObject owner = create("owner");
    ApiObject dependent = create("dependent", reference(owner, true));

    delete(owner, Dependents.ORPHAN);

    await(() -> !exists("owner"));
    assertThat(owners(dependent.meta().name())).isEmpty();
  }

  @Test
  void foreground_removesBlockingDependentsBeforeTheOwner() {
    start();
    ApiObject owner = create("owner");
    ApiObject blocking = create("blocking", reference(owner, true), "x.org/hold");
    ApiObject other = create("loose", reference(owner, false));

    delete(owner, Dependents.FOREGROUND);

    await(() -> get("blocking").meta().deleting());
    assertThat(get("owner").meta().finalizers()).containsExactly("foregroundDeletion");
    release(blocking.meta().name());
    await(() -> !exists("owner") && !exists("blocking") && !exists(other.meta().name()));
  }

  @Test
  void foreground_goesDownThroughWhatOwnsOthers() {
    start();
    ApiObject owner = create("owner");
    ApiObject middle = create("middle", reference(owner, true));
    ApiObject leaf = create("leaf", reference(middle, true), "x.org/hold");

    delete(owner, Dependents.FOREGROUND);

    await(() -> get("leaf").meta().deleting());
    assertThat(get("middle").meta().finalizers()).contains("foregroundDeletion");
    assertThat(exists("owner")).isTrue();
    release(leaf.meta().name());
    await(() -> !exists("leaf") && !exists("middle") && !exists("owner"));
  }

  @Test
  void foreground_withoutDependents_removesTheOwner() {
    start();
    ApiObject owner = create("owner");

    delete(owner, Dependents.FOREGROUND);

    await(() -> !exists("owner"));
  }

  @Test
  void foreground_endsWhenTheLastDependentNoLongerNamesTheOwner() {
    start();
    ApiObject owner = create("owner");
    ApiObject blocking = create("blocking", reference(owner, true), "x.org/hold");
    delete(owner, Dependents.FOREGROUND);
    await(() -> get("blocking").meta().deleting());

    ApiObject held = get("blocking");
    ApiObject freed =
        api.replace(
            "v1",
            "configmaps",
            "default",
            "blocking",
            held.withMeta(held.meta().without("ownerReferences")));

    assertThat(freed.meta().uid()).isEqualTo(blocking.meta().uid());
    await(() -> !exists("owner"));
    assertThat(exists("blocking")).isTrue();
  }

  @Test
  void circle_ofForegroundDeletions_comesToAnEnd() {
    start();
    ApiObject a = create("a");
    ApiObject b = create("b", reference(a, true));
    ApiObject owned =
        api.replace(
            "v1",
            "configmaps",
            "default",
            "a",
            get("a")
                .withMeta(
                    get("a")
                        .meta()
                        .with("ownerReferences", new Node.Items(List.of(reference(b, true))))));

    delete(owned, Dependents.FOREGROUND);

    await(() -> !exists("a") && !exists("b"));
  }

  @Test
  void clusterScopedOwner_takesItsDependentsInNamespacesAlong() {
    start();
    ApiObject owner = api.createSmallest("rbac.authorization.k8s.io/v1", "clusterroles", "", "r");
    ApiObject dependent =
        create(
            "dependent",
            reference(
                "ClusterRole", "rbac.authorization.k8s.io/v1", "r", owner.meta().uid(), false));

    client.delete(
        api.definition("rbac.authorization.k8s.io/v1", "clusterroles").gvr(),
        "",
        "r",
        new DeleteRequest("", "", Dependents.BACKGROUND));

    await(() -> !exists(dependent.meta().name()));
  }

  @Test
  void dependentInAnotherNamespaceThanItsOwner_goes() {
    start();
    ApiObject owner = create("owner");
    ApiObject foreign = object("foreign", reference(owner, false));

    ApiObject created = api.create("v1", "configmaps", "other", foreign);

    assertThat(created.meta().namespace()).isEqualTo("other");
    await(() -> client.get(maps(), "other", "foreign").isEmpty());
    assertThat(exists("owner")).isTrue();
    assertThat(events("other"))
        .isNotEmpty()
        .allMatch(event -> event.root().text("reason").equals("OwnerRefInvalidNamespace"))
        .allMatch(
            event ->
                event
                    .root()
                    .text("message")
                    .equals(
                        "ownerRef [v1/ConfigMap, namespace: other, name: owner, uid: "
                            + owner.meta().uid()
                            + "] does not exist in namespace \"other\""));
  }

  @Test
  void clusterScopedDependentOfAnOwnerInANamespace_staysAndIsTold() {
    ApiObject owner = create("owner");
    ApiObject role = api.smallest("rbac.authorization.k8s.io/v1", "clusterroles", "r");
    ApiObject created =
        api.create(
            "rbac.authorization.k8s.io/v1",
            "clusterroles",
            "",
            role.withMeta(
                role.meta()
                    .with("ownerReferences", new Node.Items(List.of(reference(owner, true))))));

    first.start();

    await(() -> !events("default").isEmpty());
    assertThat(events("default")).singleElement().asString().contains("OwnerRefInvalidNamespace");
    assertThat(api.get("rbac.authorization.k8s.io/v1", "clusterroles", "", "r")).isEqualTo(created);
  }

  @Test
  void ownerOfAnUnknownKind_keepsItsDependents() {
    start();
    ApiObject kept = create("kept", reference("Widget", "x.org/v1", "w", "1-2-3", true));
    ApiObject lost = create("lost", reference("ConfigMap", "v1", "ghost", "4-5-6", false));

    await(() -> !exists(lost.meta().name()));
    assertThat(exists(kept.meta().name())).isTrue();
  }

  @Test
  void manyDependents_allGo() {
    start();
    ApiObject owner = create("owner");
    for (int i = 0; i < 300; i++) {
      ApiObject each = create("d" + i, reference(owner, i % 2 == 0));
      assertThat(each.meta().deleting()).isFalse();
    }

    delete(owner, Dependents.FOREGROUND);

    await(
        () ->
            api.registry()
                .list(api.collection("v1", "configmaps", "default"), ListQuery.ALL, ListPage.WHOLE)
                .all()
                .isEmpty());
  }

  private static GroupVersionResource maps() {
    return GroupVersion.CORE_V1.resource("configmaps");
  }

  private List<ApiObject> events(String namespace) {
    return api
        .registry()
        .list(api.collection("v1", "events", namespace), ListQuery.ALL, ListPage.WHOLE)
        .all()
        .stream()
        .map(api::served)
        .toList();
  }

  private ApiObject create(String name, Object... parts) {
    return api.create("v1", "configmaps", "default", object(name, parts));
  }

  /** A ConfigMap with the owners and finalizers among {@code parts}. */
  private ApiObject object(String name, Object... parts) {
    ApiObject object = api.object("v1", "configmaps", "{'metadata':{'name':'" + name + "'}}");
    List<Node> owners =
        Arrays.stream(parts).filter(MapNode.class::isInstance).map(Node.class::cast).toList();
    List<String> finalizers =
        Arrays.stream(parts).filter(String.class::isInstance).map(String.class::cast).toList();
    return object.withMeta(
        object
            .meta()
            .with("ownerReferences", new Node.Items(owners))
            .with("finalizers", Node.texts(finalizers)));
  }

  private static MapNode reference(ApiObject owner, boolean blocks) {
    return reference(
        owner.kind(), owner.apiVersion(), owner.meta().name(), owner.meta().uid(), blocks);
  }

  private static MapNode reference(
      String kind, String apiVersion, String name, String uid, boolean blocks) {
    MapNode.Builder reference = MapNode.builder(5);
    reference
        .put("apiVersion", Node.text(apiVersion))
        .put("kind", Node.text(kind))
        .put("name", Node.text(name))
        .put("uid", Node.text(uid));
    return blocks ? reference.put("blockOwnerDeletion", Node.Bool.TRUE).build() : reference.build();
  }

  private void delete(ApiObject object, Dependents dependents) {
    client.delete(
        maps(),
        "default",
        object.meta().name(),
        new DeleteRequest(object.meta().uid(), "", dependents));
  }

  private void release(String name) {
    assertThat(
            client.change(
                maps(),
                "default",
                name,
                object ->
                    object.withMeta(
                        object
                            .meta()
                            .with(
                                "finalizers",
                                Node.texts(
                                    object.meta().finalizers().stream()
                                        .filter(each -> !each.equals("x.org/hold"))
                                        .toList())))))
        .isPresent();
  }

  private ApiObject get(String name) {
    return api.get("v1", "configmaps", "default", name);
  }

  private List<Node> owners(String name) {
    return get(name).meta().node().items("ownerReferences");
  }

  private boolean exists(String name) {
    return client.get(maps(), "default", name).isPresent();
  }

  private static void await(BooleanSupplier condition) {
    while (!holds(condition)) {
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  private static boolean holds(BooleanSupplier condition) {
    try {
      return condition.getAsBoolean();
    } catch (ApiException e) {
      // not there (any more)
      return false;
    }
  }
}
