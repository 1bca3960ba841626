package dev.keelson.registry.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.RegistryTest;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.Listing;
import dev.keelson.work.Turn;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeletionTest extends RegistryTest {

  DeletionTest(@TempDir Path directory) {
    super(directory);
  }

  @Test
  void delete_removesTheObject() {
    ApiObject map = create("a", "{}");

    Deleted deleted = delete("a", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST);

    assertThat(deleted.gone()).isTrue();
    assertThat(api.served(deleted.object()).meta().uid()).isEqualTo(map.meta().uid());
    assertThat(names("default")).isEmpty();
  }

  @Test
  void delete_ofAMissingObject_isNotFound() {
    ApiException refusal =
        refusal(
            Reason.NOT_FOUND, () -> delete("a", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST));

    assertThat(refusal).hasMessage("configmaps \"a\" not found");
  }

  @Test
  void delete_checksThePreconditions() {
    ApiObject map = create("a", "{}");
    String uid = map.meta().uid();
    String version = map.meta().resourceVersion();

    refusal(
        Reason.CONFLICT, () -> delete("a", new DeleteQuery("other", null), WriteOptions.PERSIST));
    refusal(Reason.CONFLICT, () -> delete("a", new DeleteQuery(null, "1"), WriteOptions.PERSIST));
    refusal(Reason.CONFLICT, () -> delete("a", new DeleteQuery(uid, "1"), WriteOptions.DRY_RUN));
    refusal(Reason.CONFLICT, () -> delete("a", new DeleteQuery("", null), WriteOptions.PERSIST));
    refusal(Reason.CONFLICT, () -> delete("a", new DeleteQuery(null, ""), WriteOptions.PERSIST));
    assertThat(names("default")).containsExactly("a");

    assertThat(delete("a", new DeleteQuery(uid, version), WriteOptions.PERSIST).gone()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          other |   | Precondition failed: UID in precondition: other, UID in object meta: u
                | 1 | Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: 7
          """)
  void preconditionsOfADefinition_areToldInItsOwnWords(
      @Nullable String uid, @Nullable String version, String detail) {
    DeleteQuery query = new DeleteQuery(uid, version);
    ObjectMeta current =
        new ApiObject(MapNode.of("metadata", MapNode.of("uid", Node.text("u")))).meta();
    GroupVersionKind kind =
        new GroupVersion("apiextensions.k8s.io", "v1").kind("CustomResourceDefinition");

    ApiException refusal =
        refusal(
            Reason.CONFLICT,
            () -> Deletion.checkPreconditions(kind, "tabs.example.com", query, current, "7"));

    assertThat(refusal)
        .hasMessage(
            "Operation cannot be fulfilled on customresourcedefinitions.apiextensions.k8s.io"
                + " \"tabs.example.com\": "
                + detail);
  }

  @Test
  void delete_ofAHeldObject_marksItOnce() {
    ApiObject pod =
        api.create("v1", "pods", "default", "{'metadata':{'name':'p','finalizers':['x.org/a']}}");
    Collection pods = api.collection("v1", "pods", "default");

    Deleted first =
        api.registry().delete(pods, "p", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST);
    long revision = api.store().revision();
    Deleted second =
        api.registry().delete(pods, "p", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST);

    ApiObject marked = api.served(first.object());
    assertThat(first.gone()).isFalse();
    assertThat(marked.meta().deletionTimestamp()).isEqualTo("2030-01-02T03:04:05Z");
    assertThat(marked.meta().generation()).isEqualTo(pod.meta().generation() + 1);
    assertThat(marked.root().at("metadata", "deletionGracePeriodSeconds"))
        .hasToString("Int[value=0]");
    assertThat(second.gone()).isFalse();
    assertThat(api.store().revision()).isEqualTo(revision);
    assertThat(api.get("v1", "pods", "default", "p")).isEqualTo(marked);
  }

  @Test
  void delete_thatLosesARace_judgesTheNewerState() {
    ApiObject map = create("a", "{}");
    String version = map.meta().resourceVersion();
    Runnable hold =
        () ->
            assertThat(
                    api.replace(
                        "v1",
                        "configmaps",
                        "default",
                        "a",
                        map.withMeta(
                            map.meta().with("finalizers", Node.texts(List.of("x.org/a"))))))
                .isNotNull();
    api.store().beforeNextWrite(hold);

    assertThat(delete("a", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST).gone()).isFalse();
    refusal(
        Reason.CONFLICT, () -> delete("a", new DeleteQuery(null, version), WriteOptions.PERSIST));
  }

  @Test
  void delete_inDryRun_leavesNoTrace() {
    create("a", "{}");
    create("b", "{'finalizers':['x.org/a']}");
    long before = api.store().revision();

    assertThat(delete("a", DeleteQuery.UNCONDITIONAL, WriteOptions.DRY_RUN).gone()).isTrue();
    assertThat(delete("b", DeleteQuery.UNCONDITIONAL, WriteOptions.DRY_RUN).gone()).isFalse();

    assertThat(api.store().revision()).isEqualTo(before);
    assertThat(names("default")).containsExactly("a", "b");
    assertThat(api.get("v1", "configmaps", "default", "b").meta().deleting()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5})
  void deleteCollection_removesWhatMatchesInItsNamespace(int workers) {
    create("a", "{'labels':{'x':'1'}}");
    create("b", "{'labels':{'x':'1'},'finalizers':['x.org/a']}");
    create("c", "{'labels':{'x':'2'}}");
    api.create("v1", "configmaps", "other", "{'metadata':{'name':'a','labels':{'x':'1'}}}");
    ListQuery query =
        new ListQuery(LabelSelector.parse("x=1"), FieldSelector.parse("metadata.name!=z"));

    List<StoredObject> deleted =
        api.registry()
            .deleteCollection(
                api.collection("v1", "configmaps", "default"),
                query,
                ListPage.WHOLE,
                DeleteQuery.UNCONDITIONAL,
                WriteOptions.PERSIST,
                workers)
            .all();

    assertThat(deleted)
        .extracting(item -> api.served(item).meta().name())
        .containsExactly("a", "b");
    assertThat(names("default")).containsExactly("b", "c");
    assertThat(api.get("v1", "configmaps", "default", "b").meta().deleting()).isTrue();
    assertThat(names("other")).containsExactly("a");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void deleteCollection_thatNobodyWaitsFor_deletesNothingMore(int workers) {
    for (int i = 0; i < 20; i++) {
      create("m" + i, "{}");
    }

    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(
            () ->
                Turn.run(
                    () -> names("default").size() <= 15,
                    () ->
                        api.registry()
                            .deleteCollection(
                                api.collection("v1", "configmaps", "default"),
                                ListQuery.ALL,
                                ListPage.WHOLE,
                                DeleteQuery.UNCONDITIONAL,
                                WriteOptions.PERSIST,
                                workers)))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT));
    assertThat(names("default").size()).isBetween(15 - workers, 15);
  }

  @Test
  void deleteCollection_inDryRun_leavesNoTrace() {
    create("a", "{}");

    List<StoredObject> listed =
        api.registry()
            .deleteCollection(
                api.collection("v1", "configmaps", "default"),
                ListQuery.ALL,
                ListPage.WHOLE,
                DeleteQuery.UNCONDITIONAL,
                WriteOptions.DRY_RUN,
                1)
            .all();

    assertThat(listed).hasSize(1);
    assertThat(names("default")).containsExactly("a");
  }

  @Test
  void deleteCollection_withALimit_removesThatMany() {
    create("a", "{}");
    create("b", "{}");
    create("c", "{}");

    Listing listing =
        api.registry()
            .deleteCollection(
                api.collection("v1", "configmaps", "default"),
                ListQuery.ALL,
                new ListPage(ReadVersion.NEWEST, 2, ""),
                DeleteQuery.UNCONDITIONAL,
                WriteOptions.PERSIST,
                1);

    assertThat(listing.all()).hasSize(2);
    assertThat(listing.token()).isNotEmpty();
    assertThat(names("default")).containsExactly("c");
  }

  @Test
  void deleteCollection_passesOverWhatIsGoneMeanwhile_andTellsWhatFails() {
    create("a", "{}");
    create("b", "{}");
    api.store()
        .beforeNextWrite(
            () ->
                assertThat(delete("a", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST).gone())
                    .isTrue());

    assertThat(
            api.registry()
                .deleteCollection(
                    api.collection("v1", "configmaps", "default"),
                    ListQuery.ALL,
                    ListPage.WHOLE,
                    DeleteQuery.UNCONDITIONAL,
                    WriteOptions.PERSIST,
                    1)
                .all())
        .hasSize(2);
    assertThat(names("default")).isEmpty();
    create("c", "{}");
    refusal(
        Reason.CONFLICT,
        () ->
            api.registry()
                .deleteCollection(
                    api.collection("v1", "configmaps", "default"),
                    ListQuery.ALL,
                    ListPage.WHOLE,
                    new DeleteQuery("other", null),
                    WriteOptions.PERSIST,
                    3));
  }

  @ParameterizedTest
  @ValueSource(strings = {"default", "kube-system", "kube-public"})
  void delete_ofAPermanentNamespace_isForbidden(String name) {
    if (!name.equals("default")) {
      assertThat(api.create("v1", "namespaces", "", "{'metadata':{'name':'" + name + "'}}"))
          .isNotNull();
    }

    ApiException refusal =
        refusal(
            Reason.FORBIDDEN,
            () ->
                api.registry()
                    .delete(
                        api.collection("v1", "namespaces", ""),
                        name,
                        DeleteQuery.UNCONDITIONAL,
                        WriteOptions.PERSIST));

    assertThat(refusal)
        .hasMessage("namespaces \"" + name + "\" is forbidden: this namespace may not be deleted");
  }

  private ApiObject create(String name, String meta) {
    String fields = meta.equals("{}") ? "" : "," + meta.substring(1, meta.length() - 1);
    return api.create(
        "v1", "configmaps", "default", "{'metadata':{'name':'" + name + "'" + fields + "}}");
  }

  private Deleted delete(String name, DeleteQuery query, WriteOptions mode) {
    return api.registry().delete(api.collection("v1", "configmaps", "default"), name, query, mode);
  }

  private List<String> names(String namespace) {
    Collection maps = api.collection("v1", "configmaps", namespace);
    return api.registry().list(maps, ListQuery.ALL, ListPage.WHOLE).all().stream()
        .map(item -> api.served(item).meta().name())
        .toList();
  }
}
