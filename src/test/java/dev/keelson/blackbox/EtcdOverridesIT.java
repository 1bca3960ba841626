package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.etcd.EtcdOptions;
import dev.keelson.storage.etcd.EtcdStore;
import dev.keelson.testing.EtcdProcess;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.RestClient;
import io.restassured.response.Response;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Two servers with events and leases in a second etcd ({@code --etcd-servers-overrides}). */
@TestInstance(Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EtcdOverridesIT {

  private static final String EVENTS = "/api/v1/namespaces/default/events";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";
  private static final Bytes FORMER = Bytes.utf8("/registry/events/default/former");

  private final EtcdProcess main = EtcdProcess.create();
  private final EtcdProcess other = EtcdProcess.create();
  private final List<KeelsonProcess> servers = new ArrayList<>();
  private EtcdStore inMain;
  private EtcdStore inOther;
  private RestClient first;
  private RestClient second;

  @BeforeAll
  void start(@TempDir Path directory) {
    main.start();
    other.start();
    inMain = open(main);
    inOther = open(other);
    // the two etcds never have the same revision in this test
    for (int i = 0; i < 500; i++) {
      WriteOutcome unused =
          inMain.write(Write.put(Bytes.utf8("/other/" + i), Bytes.utf8("x"), Write.ABSENT));
    }
    // from before events were moved
    WriteOutcome unused =
        inMain.write(
            Write.put(
                FORMER,
                Bytes.utf8(
                    "{\"apiVersion\":\"v1\",\"kind\":\"Event\",\"metadata\":{\"name\":\"former\","
                        + "\"namespace\":\"default\"}}"),
                Write.ABSENT));
    for (String name : List.of("one", "two")) {
      servers.add(
          KeelsonProcess.start(
              directory.resolve(name),
              List.of(
                  "--etcd-servers=" + main.endpoint(),
                  "--etcd-servers-overrides=/events#%s,coordination.k8s.io/leases#%s"
                      .formatted(other.endpoint(), other.endpoint()),
                  // longer than a test takes from a list to the read of its revision
                  "--etcd-compaction-interval=10s",
                  "--event-ttl=8s",
                  "--etcd-healthcheck-timeout=1s",
                  "--etcd-readycheck-timeout=1s",
                  KeelsonProcess.FEW_CONTROLLERS)));
    }
    first = RestClient.administrator(servers.getFirst());
    second = RestClient.administrator(servers.getLast());
  }

  private static EtcdStore open(EtcdProcess etcd) {
    return EtcdStore.open(
        EtcdOptions.defaults(List.of(etcd.endpoint())).withDeadline(Duration.ofMinutes(1)));
  }

  @AfterAll
  void stop() {
    servers.forEach(KeelsonProcess::close);
    inMain.close();
    inOther.close();
    main.close();
    other.close();
  }

  private static Map<String, Object> event(String name) {
    return Map.of(
        "metadata",
        Map.of("name", name),
        "involvedObject",
        Map.of("kind", "Pod", "name", "p", "namespace", "default"),
        "reason",
        "Tested",
        "type",
        "Normal");
  }

  private static Map<String, Object> named(String name) {
    return Map.of("metadata", Map.of("name", name));
  }

  private static long version(Response response) {
    return Long.parseLong(response.path("metadata.resourceVersion"));
  }

  private static List<String> keys(EtcdStore store, String prefix) {
    return store
        .range(KeyRange.prefix(Bytes.utf8(prefix)), RevisionedStore.NEWEST, 1000)
        .entries()
        .stream()
        .map(entry -> entry.key().utf8())
        .toList();
  }

  private static void assertCreated(Response response) {
    assertThat(response.statusCode()).as(response.asString()).isEqualTo(201);
  }

  @Test
  @Order(1)
  void objects_areInTheEtcdOfTheirResource_withItsRevisions() {
    Response event = first.post(EVENTS, event("a"));
    Response lease = first.post(LEASES, named("a"));
    Response map = first.post(MAPS, named("a"));

    assertCreated(event);
    assertCreated(lease);
    assertCreated(map);
    assertThat(keys(inOther, "/registry/events/")).contains("/registry/events/default/a");
    assertThat(keys(inOther, "/registry/leases/")).contains("/registry/leases/default/a");
    assertThat(keys(inOther, "/registry/configmaps/")).isEmpty();
    assertThat(keys(inMain, "/registry/events/")).containsExactly(FORMER.utf8());
    assertThat(keys(inMain, "/registry/leases/")).isEmpty();
    assertThat(version(event)).isLessThanOrEqualTo(inOther.revision());
    assertThat(version(map)).isGreaterThan(500);
  }

  @Test
  @Order(2)
  void list_ofAnotherServer_hasEachWriteAtOnce_andTheRevisionOfItsStore() {
    for (int i = 0; i < 5; i++) {
      Response lease = first.post(LEASES, named("list-" + i));
      assertCreated(lease);
      Response list = second.get(LEASES);

      assertThat(list.<List<String>>path("items.metadata.name")).contains("list-" + i);
      assertThat(version(list)).isBetween(version(lease), inOther.revision());
      assertThat(version(second.get(MAPS))).isGreaterThan(500);
    }
  }

  @Test
  @Order(3)
  void chunks_areOfOneRevision() {
    Response chunk = second.get(LEASES + "?limit=2");
    long revision = version(chunk);
    List<String> names = new ArrayList<>(chunk.<List<String>>path("items.metadata.name"));
    assertCreated(first.post(LEASES, named("list-new")));
    assertCreated(first.post(MAPS, named("list-new")));
    while (chunk.path("metadata.continue") != null
        && !chunk.<String>path("metadata.continue").isEmpty()) {
      chunk =
          second
              .request()
              .queryParam("limit", 2)
              .queryParam("continue", chunk.<String>path("metadata.continue"))
              .get(LEASES);
      assertThat(version(chunk)).isEqualTo(revision);
      names.addAll(chunk.<List<String>>path("items.metadata.name"));
    }

    assertThat(names).contains("a", "list-0", "list-4").doesNotContain("list-new");
  }

  @Test
  @Order(4)
  void watch_ofAnotherServer_hasTheEventsOfItsStoreAlone() {
    long from = version(second.get(LEASES));
    assertCreated(first.post(MAPS, named("watched")));
    assertCreated(first.post(LEASES, named("watched")));
    assertThat(first.delete(LEASES + "/watched").statusCode()).isEqualTo(200);

    String lines =
        second.get(LEASES + "?watch=true&timeoutSeconds=1&resourceVersion=" + from).asString();

    assertThat(lines)
        .contains("\"ADDED\"", "\"DELETED\"", "\"watched\"")
        .doesNotContain("ConfigMap");
  }

  @Test
  @Order(5)
  void history_isReadFromTheStoreOfTheObject() {
    assertCreated(first.post(LEASES, named("past")));

    Response history = first.get(LEASES + "/past/history");

    assertThat(history.statusCode()).as(history.asString()).isEqualTo(200);
    assertThat(history.<List<Object>>path("items")).hasSize(1);
  }

  @Test
  @Order(6)
  void events_expireWithALeaseOfTheirStore_andFormerOnesAreNotServed() {
    assertCreated(first.post(EVENTS, event("short")));
    assertThat(second.get(EVENTS).<List<String>>path("items.metadata.name"))
        .contains("short")
        .doesNotContain("former");

    assertEventually(() -> assertThat(keys(inOther, "/registry/events/")).isEmpty());
    assertEventually(() -> assertThat(second.get(EVENTS).<List<Object>>path("items")).isEmpty());
  }

  @Test
  @Order(7)
  void compaction_runsOnEachStore() {
    for (String path : List.of(LEASES, MAPS)) {
      long old = version(first.get(path));
      assertEventually(
          () ->
              assertThat(
                      first
                          .get(path + "?resourceVersionMatch=Exact&resourceVersion=" + old)
                          .statusCode())
                  .as(path)
                  .isEqualTo(410));
    }
  }

  @Test
  @Order(8)
  void checksAndSizes_nameBothStores() {
    assertThat(first.get("/readyz?verbose").asString())
        .contains("[+]etcd ok", "[+]etcd-readiness ok")
        .contains("[+]etcd-override-0 ok", "[+]etcd-override-readiness-0 ok");
    assertThat(first.get("/readyz?verbose&exclude=etcd").asString())
        .contains("[+]etcd excluded: ok", "[+]etcd-override-0 excluded with etcd: ok")
        .contains("[+]etcd-readiness ok");
    assertThat(first.get("/api/v1/componentstatuses").<List<String>>path("items.metadata.name"))
        .containsExactly("etcd-0", "etcd-1");
    assertEventually(
        () ->
            assertThat(first.get("/metrics").asString())
                .contains("apiserver_storage_size_bytes{storage_cluster_id=\"etcd-0\"}")
                .contains("apiserver_storage_size_bytes{storage_cluster_id=\"etcd-1\"}"));
  }

  @Test
  @Order(9)
  void storeThatIsAway_failsItsResourcesAndChecksAlone() {
    other.kill();
    try {
      assertThat(first.get("/readyz?verbose").asString())
          .contains("[+]etcd ok", "[-]etcd-override-0 failed");
      assertThat(first.get("/readyz/etcd-override-readiness-0").statusCode()).isEqualTo(500);
      assertCreated(first.post(MAPS, named("meanwhile")));
      assertThat(second.get(MAPS).<List<String>>path("items.metadata.name")).contains("meanwhile");
      assertThat(first.post(LEASES, named("meanwhile")).statusCode()).isIn(503, 504);
    } finally {
      other.start();
    }
    assertEventually(
        () -> assertThat(first.post(LEASES, named("after")).statusCode()).isIn(201, 409));
    assertEventually(
        () ->
            assertThat(second.get(LEASES).<List<String>>path("items.metadata.name"))
                .contains("after"));
  }
}
