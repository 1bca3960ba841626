package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.ResourceClient;
import dev.keelson.config.Flags;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Collection;
import dev.keelson.registry.ReadVersion;
import dev.keelson.registry.read.ListPage;
import dev.keelson.registry.read.ListQuery;
import dev.keelson.registry.read.ObjectEvent;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.registry.read.WatchQuery;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The life of custom types on two servers of one store. */
@Timeout(120)
abstract class CustomTypesContract {

  private static final GroupVersionResource DEFINITIONS =
      new GroupVersion("apiextensions.k8s.io", "v1").resource("customresourcedefinitions");
  private static final GroupVersionResource NAMESPACES =
      GroupVersion.CORE_V1.resource("namespaces");
  private static final GroupVersionResource MAPS = GroupVersion.CORE_V1.resource("configmaps");

  private final Vertx vertx = Vertx.vertx();
  private ComposedServer first;
  private ComposedServer second;

  /** Opens the store for another server. */
  abstract OpenedResources open(Path directory);

  static ServerOptions options(List<String> flags) {
    if (new Flags().read(flags, Map.of()) instanceof Flags.Wish.Run run) {
      return run.options();
    }
    throw new AssertionError("these flags start a server");
  }

  @BeforeEach
  void start(@TempDir Path directory) {
    first = ComposedServer.of(open(directory.resolve("first")), vertx);
    second = ComposedServer.of(open(directory.resolve("second")), vertx);
    assertThat(first.server().ready(6443, Duration.ZERO)).contains("ready");
    assertThat(second.server().ready(6444, Duration.ZERO)).contains("ready");
  }

  @AfterEach
  void stop() throws Exception {
    int running = second.server().stop() + first.server().stop();
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    assertThat(running).isZero();
  }

  private static GroupVersionResource resource(String plural) {
    return new GroupVersion("example.com", "v1").resource(plural);
  }

  private static String version(String properties) {
    return "'schema':{'openAPIV3Schema':{'type':'object','properties':{'spec':{'type':'object',"
        + "'properties':{"
        + properties
        + "}}}}}";
  }

  private static ApiObject definition(String plural, String kind) {
    MapNode tree =
        CustomTypes.tree(
            CustomTypes.definition(
                "example.com", plural, kind, "Namespaced", version("'size':{'type':'integer'}")));
    return new ApiObject(tree.with("metadata", tree.map("metadata").without("uid")))
        .withType("apiextensions.k8s.io/v1", "CustomResourceDefinition");
  }

  private static ApiObject create(ResourceClient client, String plural, String kind) {
    return client.create(DEFINITIONS, "", definition(plural, kind));
  }

  private void awaitServed(String plural) {
    for (ComposedServer server : List.of(first, second)) {
      Eventually.assertEventually(
          () -> assertThat(server.catalog().current().find(resource(plural))).isPresent());
    }
  }

  private void awaitGone(String plural) {
    for (ComposedServer server : List.of(first, second)) {
      Eventually.assertEventually(
          () -> assertThat(server.catalog().current().find(resource(plural))).isEmpty());
    }
  }

  private static ApiObject widget(String name, String... finalizers) {
    MapNode metadata =
        MapNode.of("name", Node.text(name)).with("finalizers", Node.texts(List.of(finalizers)));
    return new ApiObject(MapNode.of("metadata", metadata)).withType("example.com/v1", "Widget");
  }

  private static void delete(ResourceClient client, ApiObject definition) {
    client.delete(
        DEFINITIONS,
        "",
        definition.meta().name(),
        new DeleteRequest(definition.meta().uid(), "", Dependents.DEFAULT));
  }

  private static List<String> finalizersOf(ApiObject object) {
    return object.meta().finalizers();
  }

  @Test
  void definition_isServedByBothServers_andGoesOnBoth() {
    ApiObject created = create(first.client(), "widgets", "Widget");
    awaitServed("widgets");
    ApiObject one = first.client().create(resource("widgets"), "default", widget("one"));
    ApiObject two = second.client().create(resource("widgets"), "default", widget("two"));
    assertThat(second.client().get(resource("widgets"), "default", "one")).contains(one);
    assertThat(first.client().get(resource("widgets"), "default", "two")).contains(two);

    delete(second.client(), created);

    awaitGone("widgets");
    Eventually.assertEventually(
        () -> assertThat(first.client().get(DEFINITIONS, "", created.meta().name())).isEmpty());
    ApiObject again = create(first.client(), "widgets", "Widget");
    awaitServed("widgets");
    assertThat(again.meta().uid()).isNotEqualTo(created.meta().uid());
    assertThat(first.client().get(resource("widgets"), "default", "one")).isEmpty();
  }

  @Test
  void terminatingDefinition_refusesCreates_andServesTheRest() {
    ApiObject created = create(first.client(), "widgets", "Widget");
    awaitServed("widgets");
    ApiObject held =
        first.client().create(resource("widgets"), "default", widget("held", "x.org/hold"));
    delete(first.client(), created);

    Eventually.assertEventually(
        () -> assertThat(reasonOfCreate(second.client())).isEqualTo(Reason.METHOD_NOT_ALLOWED));

    Optional<ApiObject> released =
        second
            .client()
            .change(
                resource("widgets"),
                "default",
                held.meta().name(),
                object -> object.withMeta(object.meta().without("finalizers")));
    assertThat(released.map(CustomTypesContract::finalizersOf)).contains(List.of());
    awaitGone("widgets");
  }

  private static Reason reasonOfCreate(ResourceClient client) {
    try {
      ApiObject unused = client.create(resource("widgets"), "default", widget("late"));
      return Reason.UNKNOWN;
    } catch (ApiException e) {
      return e.reason();
    }
  }

  @Test
  void names_areGivenToOneDefinition_whateverTheServer() throws Exception {
    List<Thread> threads = new ArrayList<>();
    List<String> plurals = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      String plural = "trees" + i;
      plurals.add(plural);
      ResourceClient client = i % 2 == 0 ? first.client() : second.client();
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    ApiObject unused = create(client, plural, "Tree");
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    Eventually.assertEventually(
        () -> assertThat(plurals).allMatch(plural -> conditions(plural).contains("Established")));
    assertThat(plurals.stream().filter(plural -> conditions(plural).contains("EstablishedTrue")))
        .hasSize(1);
  }

  /** The types of the conditions of a definition, and those that are true with their status. */
  private List<String> conditions(String plural) {
    List<String> types = new ArrayList<>();
    for (MapNode condition :
        first
            .client()
            .get(DEFINITIONS, "", plural + ".example.com")
            .orElseThrow()
            .root()
            .map("status")
            .maps("conditions")) {
      types.add(condition.text("type"));
      types.add(condition.text("type") + condition.text("status"));
    }
    return types;
  }

  @Test
  void watchOfAnotherServer_hasAllDeletions_andEndsWithItsType() throws Exception {
    ApiObject created = create(first.client(), "widgets", "Widget");
    awaitServed("widgets");
    for (int i = 0; i < 20; i++) {
      ApiObject unused = first.client().create(resource("widgets"), "default", widget("w" + i));
    }
    Semaphore woken = new Semaphore(0);
    WatchQuery query =
        new WatchQuery(ListQuery.ALL, new WatchQuery.Start.Objects(ReadVersion.NEWEST));
    Collection widgets =
        new Collection(
            second.catalog().current().find(resource("widgets")).orElseThrow(), "default");
    int deleted = 0;
    try (ObjectWatch watch = second.registry().watch(widgets, query, woken::release)) {
      delete(first.client(), created);
      @Nullable ApiException end = null;
      while (end == null) {
        ObjectWatch.Batch batch = watch.poll(100);
        deleted +=
            (int)
                batch.events().stream()
                    .filter(event -> event.type() == ObjectEvent.Type.DELETED)
                    .count();
        end = batch.end();
        if (end == null && !batch.more()) {
          assertThat(woken.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        }
      }
      assertThat(end.reason()).isEqualTo(Reason.SERVICE_UNAVAILABLE);
    }
    assertThat(deleted).isEqualTo(20);
  }

  @Test
  void namespace_takesCustomObjectsOfAnotherServerAlong() {
    ApiObject namespace =
        first
            .client()
            .create(
                NAMESPACES,
                "",
                new ApiObject(MapNode.of("metadata", MapNode.of("name", Node.text("town"))))
                    .withType("v1", "Namespace"));
    ApiObject created = create(second.client(), "widgets", "Widget");
    Eventually.assertEventually(
        () -> assertThat(second.catalog().current().find(resource("widgets"))).isPresent());
    ApiObject widget = second.client().create(resource("widgets"), "town", widget("w"));

    first
        .client()
        .delete(
            NAMESPACES, "", namespace.meta().name(), new DeleteRequest("", "", Dependents.DEFAULT));

    Eventually.assertEventually(
        () -> assertThat(first.client().get(NAMESPACES, "", "town")).isEmpty());
    assertThat(
            second
                .client()
                .get(resource("widgets"), widget.meta().namespace(), widget.meta().name()))
        .isEmpty();
    assertThat(second.client().get(DEFINITIONS, "", created.meta().name())).isPresent();
  }

  @Test
  void customOwner_takesItsDependentsAlong() {
    ApiObject created = create(first.client(), "widgets", "Widget");
    awaitServed("widgets");
    ApiObject owner = first.client().create(resource("widgets"), "default", widget("owner"));
    MapNode reference =
        MapNode.ofTexts(
            Map.of(
                "apiVersion", "example.com/v1",
                "kind", "Widget",
                "name", "owner",
                "uid", owner.meta().uid()));
    MapNode metadata =
        MapNode.of("name", Node.text("dependent"))
            .with("ownerReferences", new Node.Items(List.of(reference)));
    ApiObject dependent =
        second
            .client()
            .create(
                MAPS,
                "default",
                new ApiObject(MapNode.of("metadata", metadata)).withType("v1", "ConfigMap"));

    first
        .client()
        .delete(
            resource("widgets"),
            "default",
            "owner",
            new DeleteRequest("", "", Dependents.BACKGROUND));

    Eventually.assertEventually(
        () -> assertThat(first.client().get(MAPS, "default", dependent.meta().name())).isEmpty());
    delete(first.client(), created);
    awaitGone("widgets");
  }

  @Test
  void changeOfASchema_losesNoRequest() throws Exception {
    ApiObject created = create(first.client(), "widgets", "Widget");
    awaitServed("widgets");
    AtomicBoolean over = new AtomicBoolean();
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    AtomicInteger done = new AtomicInteger();
    List<Thread> writers = new ArrayList<>();
    for (ComposedServer server : List.of(first, second)) {
      String name = "w" + writers.size() + "-";
      writers.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int n = 0; !over.get(); n++) {
                      try {
                        ApiObject written =
                            server
                                .client()
                                .create(resource("widgets"), "default", widget(name + n));
                        Optional<ApiObject> read =
                            server
                                .client()
                                .get(resource("widgets"), "default", written.meta().name());
                        assertThat(read).isPresent();
                        done.incrementAndGet();
                      } catch (RuntimeException | AssertionError e) {
                        failures.add(e);
                      }
                    }
                  }));
    }
    for (int i = 0; i < 10; i++) {
      String properties = "'size':{'type':'integer'},'extra" + i + "':{'type':'string'}";
      Node versions =
          CustomTypes.tree(CustomTypes.widgets(version(properties))).map("spec").get("versions");
      Optional<ApiObject> changed =
          first
              .client()
              .change(
                  DEFINITIONS,
                  "",
                  created.meta().name(),
                  object ->
                      object.with(
                          "spec",
                          object
                              .root()
                              .map("spec")
                              .with("versions", Objects.requireNonNull(versions))));
      assertThat(changed).isPresent();
      int before = done.get();
      Eventually.assertEventually(() -> assertThat(done.get()).isGreaterThan(before + 4));
    }
    over.set(true);
    for (Thread writer : writers) {
      writer.join();
    }

    assertThat(failures).isEmpty();
  }

  @Test
  void deletionUnderCreatesThroughAnotherServer_ends() throws Exception {
    for (int round = 0; round < 4; round++) {
      ApiObject created = create(first.client(), "widgets", "Widget");
      awaitServed("widgets");
      AtomicBoolean over = new AtomicBoolean();
      AtomicInteger done = new AtomicInteger();
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        String name = "w" + i + "-";
        // of the platform: a create is refused without blocking, and virtual threads that never
        // block take the processors from those of the servers
        writers.add(
            Thread.ofPlatform()
                .start(
                    () -> {
                      for (int n = 0; !over.get(); n++) {
                        createUnlessRefused(second.client(), name + n, done);
                      }
                    }));
      }
      Eventually.assertEventually(() -> assertThat(done.get()).isGreaterThan(40));

      delete(first.client(), created);
      Eventually.assertEventually(
          () -> assertThat(first.client().get(DEFINITIONS, "", created.meta().name())).isEmpty());

      over.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
      awaitGone("widgets");
    }
    ApiObject unused = create(second.client(), "widgets", "Widget");
    awaitServed("widgets");
    Collection widgets =
        new Collection(second.catalog().current().find(resource("widgets")).orElseThrow(), "");
    assertThat(second.registry().list(widgets, ListQuery.ALL, ListPage.WHOLE).all()).isEmpty();
  }

  @Test
  void watchFromARevisionBeforeItsDefinition_hasExpired() throws Exception {
    ApiObject former = create(first.client(), "widgets", "Widget");
    awaitServed("widgets");
    ApiObject one = first.client().create(resource("widgets"), "default", widget("one"));
    delete(first.client(), former);
    awaitGone("widgets");
    Eventually.assertEventually(
        () -> assertThat(first.client().get(DEFINITIONS, "", former.meta().name())).isEmpty());
    ApiObject again = create(first.client(), "widgets", "Widget");
    awaitServed("widgets");
    ApiObject two = first.client().create(resource("widgets"), "default", widget("two"));

    for (ComposedServer server : List.of(first, second)) {
      long old = Long.parseLong(one.meta().resourceVersion());
      assertThat(next(server, old).end())
          .isNotNull()
          .satisfies(end -> assertThat(end.reason()).isEqualTo(Reason.EXPIRED))
          .satisfies(end -> assertThat(end.text()).startsWith("too old resource version: " + old));
      ObjectWatch.Batch since = next(server, Long.parseLong(again.meta().resourceVersion()));
      assertThat(since.events())
          .singleElement()
          .satisfies(event -> assertThat(event.type()).isEqualTo(ObjectEvent.Type.ADDED));
    }
    assertThat(two.meta().uid()).isNotEqualTo(one.meta().uid());
  }

  /** The first events, or the end, of a watch of widgets. */
  private static ObjectWatch.Batch next(ComposedServer server, long revision)
      throws InterruptedException {
    Semaphore woken = new Semaphore(0);
    Collection widgets =
        new Collection(
            server.catalog().current().find(resource("widgets")).orElseThrow(), "default");
    WatchQuery query = new WatchQuery(ListQuery.ALL, new WatchQuery.Start.After(revision));
    try (ObjectWatch watch = server.registry().watch(widgets, query, woken::release)) {
      ObjectWatch.Batch batch = watch.poll(100);
      while (batch.events().isEmpty() && batch.end() == null) {
        assertThat(woken.tryAcquire(60, TimeUnit.SECONDS)).isTrue();
        batch = watch.poll(100);
      }
      return batch;
    }
  }

  private static void createUnlessRefused(ResourceClient client, String name, AtomicInteger done) {
    try {
      ApiObject unused = client.create(resource("widgets"), "default", widget(name));
      done.incrementAndGet();
    } catch (ApiException e) {
      // the definition is terminating, or gone
      assertThat(e.reason()).isIn(Reason.METHOD_NOT_ALLOWED, Reason.NOT_FOUND);
    }
  }
}
