package dev.keelson.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.fieldmanager.AppliedConfiguration;
import dev.keelson.registry.fieldmanager.ApplyPatch;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.Listing;
import dev.keelson.registry.read.ObjectEvent;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.registry.read.WatchQuery;
import dev.keelson.registry.write.DeleteQuery;
import dev.keelson.schema.CustomResource;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.storage.Entry;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Objects of a custom resource with several versions: {@code v1} has {@code spec.host} and {@code
 * spec.port}, {@code v2} has {@code spec.address}. The webhook of the tests converts one into the
 * other. As apiextensions-apiserver's test/integration/conversion.
 */
@Timeout(60)
class SeveralVersionsTest {

  private static final String V1 = "example.com/v1";
  private static final String V2 = "example.com/v2";

  private final LocalApi api;

  /** The versions and the sizes of the calls of the webhook. */
  private final List<String> calls = new ArrayList<>();

  private volatile @Nullable ApiException failure;

  SeveralVersionsTest(@TempDir Path directory) {
    api = LocalApi.openStrict(directory);
  }

  @BeforeEach
  void convert() {
    api.convertBy(this::convert);
  }

  @AfterEach
  void close() {
    api.close();
  }

  private synchronized List<MapNode> convert(
      CustomResource resource, GroupVersion target, List<MapNode> objects) {
    calls.add(objects.getFirst().text("apiVersion") + ">" + target + " " + objects.size());
    ApiException error = failure;
    if (error != null) {
      throw error;
    }
    return objects.stream().map(object -> converted(object, target.version())).toList();
  }

  private static MapNode converted(MapNode object, String version) {
    MapNode spec = object.map("spec");
    MapNode next;
    if (version.equals("v2")) {
      String port = spec.get("port") instanceof Node.Int number ? ":" + number.value() : "";
      next = MapNode.of("address", Node.text(spec.text("host") + port));
    } else {
      String[] parts = spec.text("address").split(":", -1);
      next = MapNode.of("host", Node.text(parts[0]));
      next = parts.length == 1 ? next : next.with("port", new Node.Int(Long.parseLong(parts[1])));
    }
    return object.with("apiVersion", Node.text("example.com/" + version)).with("spec", next);
  }

  private void serve(String strategy, String storage) {
    api.catalog()
        .replaceAll(
            api.catalog().snapshot().all().stream().filter(row -> row.custom() == null).toList());
    CustomTypes.serve(
        api.catalog(),
        """
        {'metadata':{'name':'hosts.example.com','uid':'u'},
         'spec':{'group':'example.com','scope':'Namespaced','conversion':{'strategy':'%s'},
          'names':{'plural':'hosts','singular':'host','kind':'Host','listKind':'HostList'},
          'versions':[
           {'name':'v2','served':true,'storage':%s,'subresources':{'status':{}},
            'selectableFields':[{'jsonPath':'.spec.address'}],
            'schema':{'openAPIV3Schema':{'type':'object','properties':{
             'spec':{'type':'object','properties':{'address':{'type':'string','maxLength':20}}},
             'status':{'type':'object','properties':{'ok':{'type':'boolean'}}}}}}},
           {'name':'v1','served':true,'storage':%s,'subresources':{'status':{}},
            'schema':{'openAPIV3Schema':{'type':'object','properties':{
             'spec':{'type':'object','properties':{
              'host':{'type':'string'},'port':{'type':'integer','default':80}}},
             'status':{'type':'object','properties':{'ok':{'type':'boolean'}}}}}}}]}}
        """
            .formatted(strategy, storage.equals("v2"), storage.equals("v1")));
  }

  private ApiObject create(String version, String name, String spec) {
    return api.create(
        version, "hosts", "default", "{'metadata':{'name':'" + name + "'},'spec':" + spec + "}");
  }

  private String spec(String version, String name) {
    return LocalApi.json(api.get(version, "hosts", "default", name).root().map("spec"));
  }

  private String stored(String name) {
    Entry entry =
        Objects.requireNonNull(
            api.objects().get(api.storedType(V1, "hosts"), "default", name).entry());
    String json = entry.value().utf8().strip().replace('"', '\'');
    return json.replaceAll("'metadata':.*?},'spec'", "'spec'");
  }

  @Test
  void withoutConversion_objectsArePrunedByTheirVersion() {
    serve("None", "v1");

    ApiObject created = create(V2, "a", "{'address':'x'}");
    ApiObject other = create(V1, "b", "{'host':'h','port':1}");

    assertThat(created.root().text("apiVersion")).isEqualTo(V2);
    assertThat(created.root().map("spec"))
        .as("what the storage version does not know is lost")
        .isEqualTo(MapNode.EMPTY);
    assertThat(other.root().map("spec")).isEqualTo(CustomTypes.tree("{'host':'h','port':1}"));
    assertThat(spec(V1, "a")).isEqualTo("{'port':80}");
    assertThat(spec(V2, "b")).isEqualTo("{}");
    assertThat(calls).isEmpty();
  }

  @Test
  void write_isValidatedInItsVersionAndStoredInAnother() {
    serve("Webhook", "v1");

    ApiObject created = create(V2, "a", "{'address':'h:1'}");

    assertThat(created.root().map("spec")).isEqualTo(CustomTypes.tree("{'address':'h:1'}"));
    assertThat(stored("a")).contains("'apiVersion':'example.com/v1'").contains("'host':'h'");
    assertThat(spec(V1, "a")).isEqualTo("{'host':'h','port':1}");
    assertThat(calls).containsExactly(V2 + ">" + V1 + " 1", V1 + ">" + V2 + " 1");
    assertThatThrownBy(() -> create(V2, "b", "{'address':'longer than twenty characters'}"))
        .hasMessageContaining("spec.address: Too long: may not be more than 20 bytes");
    ApiObject longer = create(V1, "c", "{'host':'longer than twenty characters'}");
    assertThat(longer.meta().name()).isEqualTo("c");
  }

  @Test
  void read_convertsInOneCallToTheVersionThatIsAskedFor() {
    serve("Webhook", "v1");
    create(V1, "a", "{'host':'h','port':1}");
    assertThat(calls).isEmpty();
    serve("Webhook", "v2");

    assertThat(spec(V1, "a")).as("stored in that version").isEqualTo("{'host':'h','port':1}");
    assertThat(calls).isEmpty();
    assertThat(spec(V2, "a")).isEqualTo("{'address':'h:1'}");
    assertThat(calls).containsExactly(V1 + ">" + V2 + " 1");
  }

  @Test
  void updateWithoutChange_movesToTheStorageVersion() {
    serve("Webhook", "v1");
    create(V1, "a", "{'host':'h','port':1}");
    serve("Webhook", "v2");

    ApiObject before = api.get(V1, "hosts", "default", "a");
    ApiObject after = api.replace(V1, "hosts", "default", "a", before);
    ApiObject again = api.replace(V1, "hosts", "default", "a", after);

    assertThat(stored("a")).contains("'apiVersion':'example.com/v2'").contains("'address':'h:1'");
    assertThat(after.meta().resourceVersion()).isNotEqualTo(before.meta().resourceVersion());
    assertThat(after.meta().generation()).isEqualTo(before.meta().generation());
    assertThat(again.meta().resourceVersion()).isEqualTo(after.meta().resourceVersion());
  }

  @Test
  void generationAndStatus_followTheVersionOfTheRequest() {
    serve("Webhook", "v1");
    create(V1, "a", "{'host':'h','port':1}");

    ApiObject changed =
        api.replace(
            V2,
            "hosts",
            "default",
            "a",
            api.get(V2, "hosts", "default", "a").with("spec", CustomTypes.tree("{'address':'i'}")));
    ApiObject status =
        api.served(
            api.registry()
                .replaceStatus(
                    api.collection(V2, "hosts", "default"),
                    "a",
                    changed.with("status", CustomTypes.tree("{'ok':true}")),
                    WriteOptions.PERSIST));

    assertThat(changed.meta().generation()).isEqualTo(2);
    assertThat(status.meta().generation()).isEqualTo(2);
    assertThat(status.root().map("status")).isEqualTo(CustomTypes.tree("{'ok':true}"));
    assertThat(spec(V1, "a")).isEqualTo("{'host':'i','port':80}");
  }

  @Test
  void failure_reachesTheClient() {
    serve("Webhook", "v1");
    create(V1, "a", "{'host':'h'}");
    failure = new ApiException(Reason.UNKNOWN, "conversion webhook for x failed: y");

    assertThatThrownBy(() -> spec(V2, "a")).hasMessage("conversion webhook for x failed: y");
    assertThatThrownBy(() -> create(V2, "b", "{}"))
        .hasMessage("conversion webhook for x failed: y");
    assertThatThrownBy(() -> list(V2, ListQuery.ALL, ListPage.WHOLE).all())
        .hasMessage("conversion webhook for x failed: y");
    assertThat(spec(V1, "a")).isEqualTo("{'host':'h','port':80}");
  }

  @Test
  void failure_endsEveryWriteOfThatVersion() {
    serve("Webhook", "v1");
    create(V1, "a", "{'host':'h'}");
    ApiObject address =
        api.get(V1, "hosts", "default", "a").with("spec", CustomTypes.tree("{'address':'i'}"));
    Collection hosts = api.collection(V2, "hosts", "default");
    failure = new ApiException(Reason.UNKNOWN, "conversion webhook for x failed: y");

    List<ThrowingCallable> writes =
        List.of(
            () -> create(V2, "a", "{}"),
            () -> api.replace(V2, "hosts", "default", "a", address.withType(V2, "Host")),
            () -> apply(V2, "one", "{'address':'i'}"),
            () ->
                api.registry()
                    .replaceStatus(hosts, "a", address.withType(V2, "Host"), WriteOptions.PERSIST),
            () ->
                api.registry().delete(hosts, "a", DeleteQuery.UNCONDITIONAL, WriteOptions.PERSIST),
            () ->
                api.registry()
                    .deleteCollection(
                        hosts,
                        ListQuery.ALL,
                        ListPage.WHOLE,
                        DeleteQuery.UNCONDITIONAL,
                        WriteOptions.PERSIST,
                        1));

    assertThat(writes)
        .allSatisfy(
            write -> assertThatThrownBy(write).hasMessage("conversion webhook for x failed: y"));
    assertThat(spec(V1, "a")).isEqualTo("{'host':'h','port':80}");
  }

  @Test
  void defaultsOfTheRequest_arePersisted_andThoseOfTheStorageVersionAreRead() {
    api.convertBy(
        (resource, target, objects) ->
            objects.stream()
                .map(object -> object.with("apiVersion", Node.text(target.toString())))
                .toList());
    CustomTypes.serve(api.catalog(), DEFAULTS);

    ApiObject created =
        api.create("example.net/v2", "trees", "default", "{'metadata':{'name':'a'},'defaults':{}}");

    Entry entry =
        Objects.requireNonNull(
            api.objects().get(api.storedType("example.net/v1", "trees"), "default", "a").entry());
    assertThat(entry.value().utf8()).contains("\"defaults\":{\"v2\":true}");
    assertThat(created.root().map("defaults")).isEqualTo(CustomTypes.tree("{'v1':true,'v2':true}"));
    assertThat(api.get("example.net/v3", "trees", "default", "a").root().map("defaults"))
        .isEqualTo(CustomTypes.tree("{'v1':true,'v2':true}"));
  }

  private static final String DEFAULTS =
      """
      {'metadata':{'name':'trees.example.net','uid':'t'},
       'spec':{'group':'example.net','scope':'Namespaced','conversion':{'strategy':'Webhook'},
        'names':{'plural':'trees','singular':'tree','kind':'Tree','listKind':'TreeList'},
        'versions':[
         {'name':'v1','served':true,'storage':true,'schema':%s},
         {'name':'v2','served':true,'storage':false,'schema':%s},
         {'name':'v3','served':true,'storage':false,'schema':%s}]}}
      """
          .formatted(defaulting("v1"), defaulting("v2"), defaulting("v3"));

  /** A schema whose version marks the objects that it fills in. */
  private static String defaulting(String version) {
    String flags = "'v1':{'type':'boolean'},'v2':{'type':'boolean'},'v3':{'type':'boolean'}";
    return "{'openAPIV3Schema':{'type':'object','properties':{'defaults':{'type':'object',"
        + "'properties':{"
        + flags.replace(
            "'" + version + "':{'type':'boolean'",
            "'" + version + "':{'type':'boolean','default':true")
        + "}}}}}";
  }

  private Listing list(String version, ListQuery query, ListPage page) {
    return api.registry().list(api.collection(version, "hosts", "default"), query, page);
  }

  private List<String> addresses(Listing listing) {
    return listing.all().stream()
        .map(object -> api.served(object).root().map("spec").text("address"))
        .toList();
  }

  @Test
  void list_convertsManyObjectsACall() {
    serve("Webhook", "v1");
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      create(V1, "n%03d".formatted(i), "{'host':'h" + i + "'}");
      expected.add("h" + i + ":80");
    }

    Listing listing = list(V2, ListQuery.ALL, ListPage.WHOLE);

    assertThat(calls).as("nothing is converted before it is read").isEmpty();
    assertThat(addresses(listing)).isEqualTo(expected);
    assertThat(calls)
        .containsExactly(V1 + ">" + V2 + " 250", V1 + ">" + V2 + " 250", V1 + ">" + V2 + " 100");
  }

  @Test
  void chunks_continueBehindTheirLastObject() {
    serve("Webhook", "v1");
    for (String name : List.of("a", "b", "c", "d", "e")) {
      create(V1, name, "{'host':'" + name + "'}");
    }

    Listing first = list(V2, ListQuery.ALL, new ListPage(ReadVersion.NEWEST, 2, ""));
    assertThat(addresses(first)).containsExactly("a:80", "b:80");
    Listing second = list(V2, ListQuery.ALL, new ListPage(ReadVersion.NEWEST, 2, first.token()));
    assertThat(addresses(second)).containsExactly("c:80", "d:80");
    Listing third = list(V2, ListQuery.ALL, new ListPage(ReadVersion.NEWEST, 2, second.token()));
    assertThat(addresses(third)).containsExactly("e:80");
    assertThat(third.token()).isEmpty();
  }

  @Test
  void fieldSelector_seesTheVersionOfTheRequest() {
    serve("Webhook", "v1");
    create(V1, "a", "{'host':'h','port':1}");
    create(V1, "b", "{'host':'h','port':2}");
    FieldSelector fields =
        new FieldSelector(List.of(new FieldSelector.Term("spec.address", "h:2", false)));

    Listing found = list(V2, new ListQuery(LabelSelector.EVERYTHING, fields), ListPage.WHOLE);

    assertThat(addresses(found)).containsExactly("h:2");
    assertThat(calls).containsExactly(V1 + ">" + V2 + " 2");
  }

  private ObjectWatch watch(String version) {
    return api.registry()
        .watch(
            api.collection(version, "hosts", "default"),
            new WatchQuery(ListQuery.ALL, new WatchQuery.Start.Objects(ReadVersion.NEWEST)),
            () -> {});
  }

  private List<String> poll(ObjectWatch watch, int most) {
    List<String> seen = new ArrayList<>();
    Eventually.assertEventually(
        () -> {
          ObjectWatch.Batch batch = watch.poll(most);
          for (ObjectEvent event : batch.events()) {
            seen.add(
                event.type() + " " + api.served(event.object()).root().map("spec").text("address"));
          }
          ApiException end = batch.end();
          if (end != null) {
            seen.add("ERROR " + end.text());
          }
          assertThat(seen).hasSizeGreaterThanOrEqualTo(most);
        });
    return seen;
  }

  @Test
  void watch_sendsConvertedObjectsInOrder() {
    serve("Webhook", "v1");
    create(V1, "a", "{'host':'a'}");
    try (ObjectWatch watch = watch(V2)) {
      assertThat(poll(watch, 1)).containsExactly("ADDED a:80");
      create(V1, "b", "{'host':'b'}");
      create(V2, "c", "{'address':'c:1'}");
      api.registry()
          .delete(
              api.collection(V1, "hosts", "default"),
              "b",
              DeleteQuery.UNCONDITIONAL,
              WriteOptions.PERSIST);

      assertThat(poll(watch, 3)).containsExactly("ADDED b:80", "ADDED c:1", "DELETED b:80");
    }
  }

  @Test
  void watchWhoseWebhookHangs_holdsUpNobody() {
    serve("Webhook", "v1");
    CountDownLatch end = new CountDownLatch(1);
    api.convertBy(
        (resource, target, objects) -> {
          try {
            end.await();
          } catch (InterruptedException e) {
            throw new ApiException(Reason.UNKNOWN, "interrupted");
          }
          return convert(resource, target, objects);
        });
    try (ObjectWatch hanging = watch(V2);
        ObjectWatch other = watch(V1)) {
      create(V1, "a", "{'host':'a'}");

      Eventually.assertEventually(() -> assertThat(other.poll(10).events()).hasSize(1));
      assertThat(hanging.poll(10).events()).isEmpty();
      end.countDown();
      assertThat(poll(hanging, 1)).containsExactly("ADDED a:80");
    }
  }

  @Test
  void watchWhoseWebhookFails_endsWithItsError() {
    serve("Webhook", "v1");
    try (ObjectWatch watch = watch(V2)) {
      failure = new ApiException(Reason.UNKNOWN, "conversion webhook for x failed: y");
      create(V1, "a", "{'host':'a'}");

      assertThat(poll(watch, 1)).containsExactly("ERROR conversion webhook for x failed: y");
    }
  }

  private ApiObject apply(String version, String manager, String spec) {
    MapNode configuration =
        CustomTypes.tree(
            "{'apiVersion':'%s','kind':'Host','metadata':{'name':'a','namespace':'default'},'spec':%s}"
                .formatted(version, spec));
    ApplyPatch patch =
        new ApplyPatch(
            api.registry().fields(),
            api.definition(version, "hosts"),
            new AppliedConfiguration(configuration, manager, "", /* force= */ false),
            List.of(),
            FieldValidation.STRICT,
            warning -> {});
    return api.served(
        api.registry()
            .patch(api.collection(version, "hosts", "default"), "a", patch, WriteOptions.PERSIST)
            .object());
  }

  @Test
  void apply_comparesManagersInTheirVersions() {
    serve("Webhook", "v1");

    apply(V1, "one", "{'host':'h','port':1}");

    assertThatThrownBy(() -> apply(V2, "two", "{'address':'i:1'}"))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("conflict with \"one\"");
    ApiObject same = apply(V2, "two", "{'address':'h:1'}");
    assertThat(LocalApi.json(same.meta().node()))
        .contains("'manager':'one'")
        .contains("'manager':'two'");
    assertThat(spec(V1, "a")).isEqualTo("{'host':'h','port':1}");
  }

  @Test
  void labelSelectors_seeConvertedLabels() {
    serve("Webhook", "v1");
    api.convertBy(
        (resource, target, objects) ->
            convert(resource, target, objects).stream()
                .map(
                    object ->
                        object.withAt(
                            List.of("metadata", "labels"),
                            MapNode.of("version", Node.text(target.version()))))
                .toList());
    create(V1, "a", "{'host':'h','port':1}");
    ListQuery labelled = new ListQuery(LabelSelector.parse("version=v2"), FieldSelector.EVERYTHING);

    assertThat(addresses(list(V2, labelled, ListPage.WHOLE))).containsExactly("h:1");
    assertThat(list(V1, labelled, ListPage.WHOLE).all()).isEmpty();
  }

  @Test
  void sameShapeWithoutConversion_isServedFromStoredBytes() {
    serve("None", "v1");
    CustomTypes.serve(api.catalog(), WIDGETS);
    api.create(
        "example.org/v1", "widgets", "default", "{'metadata':{'name':'a'},'spec':{'size':1}}");

    assertThat(api.codec().servesStoredShape(api.definition("example.org/v1beta1", "widgets")))
        .isTrue();
    assertThat(api.codec().servesStoredShape(api.definition(V2, "hosts"))).isFalse();
    assertThat(
            LocalApi.json(
                api.get("example.org/v1beta1", "widgets", "default", "a").root().map("spec")))
        .isEqualTo("{'size':1}");
  }

  private static final String WIDGETS =
      """
      {'metadata':{'name':'widgets.example.org','uid':'w'},
       'spec':{'group':'example.org','scope':'Namespaced',
        'names':{'plural':'widgets','singular':'widget','kind':'Widget','listKind':'WidgetList'},
        'versions':[
         {'name':'v1','served':true,'storage':true,'schema':{'openAPIV3Schema':{'type':'object',
           'properties':{'spec':{'type':'object','properties':{'size':{'type':'integer'}}}}}}},
         {'name':'v1beta1','served':true,'storage':false,'schema':{'openAPIV3Schema':{'type':'object',
           'description':'older',
           'properties':{'spec':{'type':'object','properties':{'size':{'type':'integer'}}}}}}}]}}
      """;
}
