package dev.keelson.http.trail;

import static dev.keelson.audit.trail.TrailEvents.NOON;
import static dev.keelson.audit.trail.TrailEvents.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.audit.trail.TrailEvent;
import dev.keelson.audit.trail.TrailEvents;
import dev.keelson.audit.trail.sqlite.SqliteTrail;
import dev.keelson.http.Query;
import dev.keelson.http.options.ListOptions;
import dev.keelson.http.options.QueryOptions;
import dev.keelson.http.verb.VirtualResource.Objects;
import dev.keelson.http.verb.VirtualResource.Request;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.read.ObjectEvent;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.proto.ProtoSchemas;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class AuditEventsTest {

  private static final ResourceDefinition DEFINITION =
      BuiltInResources.trail(ProtoSchemas.fromClassPath()::struct).getFirst();

  @TempDir Path directory;

  private SqliteTrail store;
  private AuditEvents events;

  @BeforeEach
  void open() throws Exception {
    store = SqliteTrail.open(directory.resolve("trail.db"), Duration.ofSeconds(10));
    events = new AuditEvents(store, InstantSource.fixed(NOON.plus(Duration.ofHours(1))));
  }

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  void list_hasTheEventsAsObjectsWithTheNewestFirst() throws Exception {
    TrailEvent event = get("a").row();
    store.append(List.of(event, get("b").at(NOON.plusSeconds(1)).row()));

    Objects list = list("", "");

    assertThat(ids(list)).containsExactly("b", "a");
    assertThat(list.revision()).isEqualTo(2);
    assertThat(list.token()).isEmpty();
    MapNode object = list.items().getLast().root();
    assertThat(object.map("metadata").without("uid"))
        .isEqualTo(
            MapNode.ofTexts(
                Map.of(
                    "name",
                    event.id(),
                    "namespace",
                    "shop",
                    "resourceVersion",
                    "1",
                    "creationTimestamp",
                    "2026-03-04T12:00:00Z")));
    assertThat(object.map("user").text("username")).isEqualTo("alice");
    assertThat(object.text("stageTimestamp")).isEqualTo("2026-03-04T12:00:00.000000Z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fieldSelector=user=alice | a",
        "fieldSelector=user!=alice,verb=delete | b",
        "fieldSelector=resource=deployments.apps | b",
        "fieldSelector=resource=deployments | b",
        "fieldSelector=metadata.namespace=shop | a",
        "fieldSelector=code=4xx | b",
        "fieldSelector=since=2026-03-04T12:00:30Z | b",
        "fieldSelector=until=2026-03-04T12:00:30Z | a",
        "fieldSelector=since=59m30s | b",
        "fieldSelector=text=quota | b",
        "since=2026-03-04T12:00:30Z | b",
        "until=2026-03-04T12:00:30.5%2B00:00 | a",
        "since=2026-03-05 | ''",
        "until=2026-03-05 | b a",
        "since=24h | b a",
        "text=QUOTA exceeded | b",
        "text=SETTINGS | a",
        "labelSelector=verb in (delete,create) | b",
        "labelSelector=verb notin (delete) | a",
        "labelSelector=user | b a",
        "labelSelector=!impersonatedUser,name=settings | a",
        "object=apps/v1/deployments/bank/web&since=1s | ''",
      })
  void list_selects(String query, String expected) throws Exception {
    store.append(
        List.of(
            get("a").row(),
            get("b")
                .at(NOON.plusSeconds(60))
                .by("bob")
                .verb("delete")
                .object("apps", "deployments", "bank", "web")
                .answered(403, "exceeded Quota")
                .uri("/apis/apps/v1/namespaces/bank/deployments/web")
                .row()));

    assertThat(String.join(" ", ids(list("", query)))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fieldSelector=users=a | \"users\" is not a known field selector: only \"metadata.name\","
            + " \"metadata.namespace\", \"auditID\", \"stage\", \"level\", \"user\","
            + " \"impersonatedUser\", \"group\", \"verb\", \"apiGroup\", \"resource\","
            + " \"subresource\", \"namespace\", \"name\", \"uid\", \"code\", \"decision\","
            + " \"sourceIP\", \"userAgent\", \"since\", \"until\", \"text\", \"object\"",
        "fieldSelector=metadata.name!=a | \"metadata.name\" cannot be negated",
        "fieldSelector=resource!=pods/log | \"resource\" cannot be negated with a group or"
            + " subresource",
        "labelSelector=code>1 | \"code\" has no order",
        "since=yesterday | since: expected a time such as 2026-01-31T08:30:00Z, a day such as"
            + " 2026-01-31, or a duration before now such as 2h, found \"yesterday\"",
        "object=pods/a | object: expected GROUP/VERSION/RESOURCE/NAMESPACE/NAME, such as"
            + " apps/v1/deployments/default/web, v1/configmaps/default/settings or v1/nodes//n1,"
            + " found \"pods/a\"",
        "continue=x | continue key is not valid: x",
      })
  void list_withWrongConditions_isABadRequest(String query, String message) {
    assertThatThrownBy(() -> list("", query))
        .isInstanceOf(ApiException.class)
        .hasMessage(message)
        .extracting(e -> ((ApiException) e).reason())
        .isEqualTo(Reason.BAD_REQUEST);
  }

  @Test
  void list_ofANamespace_hasItsEventsOnly() throws Exception {
    store.append(List.of(get("a").row(), get("b").object("", "pods", "bank", "p").row()));

    assertThat(ids(list("bank", ""))).containsExactly("b");
    assertThat(ids(list("bank", "fieldSelector=namespace=shop"))).isEmpty();
    assertThatThrownBy(() -> list("bank", "object=v1/configmaps/shop/settings"))
        .hasMessage("the object is in the namespace \"shop\", the request in \"bank\"");
  }

  @Test
  void list_inChunks_hasEveryEventOnce() throws Exception {
    List<TrailEvent> rows = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      rows.add(get("e" + i).at(NOON.plusSeconds(i)).row());
    }
    store.append(rows);

    Objects first = list("", "limit=3");
    Objects second = list("", "limit=3&continue=" + first.token());
    Objects third = list("", "limit=3&continue=" + second.token());

    assertThat(ids(first)).containsExactly("e6", "e5", "e4");
    assertThat(ids(second)).containsExactly("e3", "e2", "e1");
    assertThat(ids(third)).containsExactly("e0");
    assertThat(third.token()).isEmpty();
  }

  @Test
  void list_withoutALimit_isBounded() throws Exception {
    List<TrailEvent> rows = new ArrayList<>();
    for (int i = 0; i <= AuditEvents.MOST; i++) {
      rows.add(get("e" + i).at(NOON.plusSeconds(i)).row());
    }
    store.append(rows);

    Objects all = list("", "");
    assertThat(all.items()).hasSize(AuditEvents.MOST);
    assertThat(ids(list("", "continue=" + all.token()))).containsExactly("e0");
  }

  @Test
  void get_returnsAnEventOfItsNamespaceOnly() throws Exception {
    TrailEvent event = get("a").row();
    store.append(List.of(event));

    assertThat(events.answer(request(Verb.GET, "shop", event.id(), "")).root().text("auditID"))
        .isEqualTo("a");
    for (String[] wrong :
        new String[][] {{"bank", event.id()}, {"shop", "x"}, {"shop", get("b").row().id()}}) {
      assertThatThrownBy(() -> events.answer(request(Verb.GET, wrong[0], wrong[1], "")))
          .extracting(e -> ((ApiException) e).reason())
          .isEqualTo(Reason.NOT_FOUND);
    }
    assertThat(ids(list("", "fieldSelector=metadata.name=" + event.id()))).containsExactly("a");
  }

  @Test
  void requests_whileTheTrailIsAway_areUnavailable() {
    store.close();

    assertThatThrownBy(() -> list("", ""))
        .extracting(e -> ((ApiException) e).reason())
        .isEqualTo(Reason.SERVICE_UNAVAILABLE);
  }

  @Test
  void object_hasTheChangesOfItsLife() throws Exception {
    String path = "v1/configmaps/shop/settings";
    store.append(
        List.of(
            written("create", 0, "{'metadata':{'name':'settings'},'data':{'a':'1','b':'x'}}"),
            written(
                "patch",
                1,
                "{'metadata':{'name':'settings','resourceVersion':'9'},'data':{'a':'2','b':'x'}}"),
            get("read").at(NOON.plusSeconds(2)).row(),
            get("refused").verb("update").answered(409, "no").at(NOON.plusSeconds(3)).row(),
            written(
                "update",
                4,
                "{'metadata':{'name':'settings','labels':{'k/l':'v'}},'data':{'a':'2'}}"),
            written("delete", 5, "{'kind':'Status','metadata':{}}")));

    Objects life = list("", "object=" + path);

    assertThat(ids(life)).containsExactly("delete", "update", "patch", "create");
    assertThat(changes(life, 0)).isEmpty();
    assertThat(changes(life, 1))
        .containsExactly(".metadata.labels + {k/l: Text[value=v]}", ".data.b - Text[value=x]");
    assertThat(changes(life, 2)).containsExactly(".data.a Text[value=1] > Text[value=2]");
    assertThat(changes(life, 3)).isEmpty();
    Objects newest = list("", "limit=1&object=" + path);
    assertThat(ids(newest)).containsExactly("delete");
    Objects next = list("shop", "limit=1&object=" + path + "&continue=" + newest.token());
    assertThat(changes(next, 0)).hasSize(2);
  }

  @Test
  void watch_fromAList_hasTheNewEvents() throws Exception {
    store.append(List.of(get("a").row()));
    long revision = list("", "").revision();
    store.append(List.of(get("b").row(), get("c").by("bob").row()));
    Semaphore woken = new Semaphore(0);

    try (ObjectWatch watch = watch("fieldSelector=user=alice&resourceVersion=" + revision, woken)) {
      assertThat(ids(watch, woken, 1)).containsExactly("b");
      store.append(List.of(get("late").at(NOON.minusSeconds(60)).row()));
      assertThat(ids(watch, woken, 1)).containsExactly("late");
      assertThat(watch.poll(10).revision()).isEqualTo(4);
    }
  }

  @Test
  void watch_withoutAResourceVersion_beginsWithTheNewestInTheOrderOfTime() throws Exception {
    store.append(List.of(get("b").at(NOON.plusSeconds(1)).row(), get("a").row()));
    Semaphore woken = new Semaphore(0);

    try (ObjectWatch watch = watch("", woken)) {
      ObjectWatch.Batch first = watch.poll(1);
      assertThat(first.initialDone()).isFalse();
      assertThat(first.revision()).isZero();
      ObjectWatch.Batch second = watch.poll(10);
      assertThat(second.initialDone()).isTrue();
      assertThat(second.revision()).isEqualTo(2);
      assertThat(auditIds(first)).containsExactly("a");
      assertThat(auditIds(second)).containsExactly("b");
      store.append(List.of(get("c").row()));
      assertThat(ids(watch, woken, 1)).containsExactly("c");
    }
  }

  @Test
  void watch_fromBeforeTheRetention_isExpired() throws Exception {
    store.append(List.of(get("a").at(NOON.minus(Duration.ofDays(2))).row()));
    store.append(List.of(get("b").at(NOON.minus(Duration.ofDays(2))).row()));
    store.append(List.of(get("c").at(NOON).row()));
    store.removeBefore(NOON);

    for (String wrong : List.of("1", "99")) {
      assertThatThrownBy(() -> watch("resourceVersion=" + wrong, new Semaphore(0)))
          .extracting(e -> ((ApiException) e).reason())
          .isEqualTo(Reason.EXPIRED);
    }
    watch("resourceVersion=2", new Semaphore(0)).close();
  }

  @Test
  void watch_whoseTrailGoesAway_ends() throws Exception {
    Semaphore woken = new Semaphore(0);
    try (ObjectWatch watch = watch("", woken)) {
      store.close();
      ApiException end = null;
      while (end == null) {
        assertThat(woken.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
        end = watch.poll(10).end();
      }
      assertThat(end.reason()).isEqualTo(Reason.SERVICE_UNAVAILABLE);
    }
  }

  private static TrailEvent written(String verb, int second, String response) {
    return get(verb)
        .verb(verb)
        .at(NOON.plusSeconds(second))
        .response(response.replace('\'', '"'))
        .row();
  }

  /** The changes of an event as text: {@code +} for added, {@code -} for removed fields. */
  private static List<String> changes(Objects list, int index) {
    List<String> changes = new ArrayList<>();
    for (MapNode change : list.items().get(index).root().maps("changes")) {
      Node before = change.get("before");
      Node after = change.get("after");
      changes.add(
          change.text("path")
              + (before == null
                  ? " + " + after
                  : " " + (after == null ? "- " + before : before + " > " + after)));
    }
    return changes;
  }

  private Objects list(String namespace, String query) {
    Request request = request(Verb.LIST, namespace, "", query);
    return events.select(request, QueryOptions.selection(request.query()));
  }

  private ObjectWatch watch(String query, Semaphore woken) {
    Request request = request(Verb.WATCH, "", "", query);
    return events.watch(
        request,
        QueryOptions.selection(request.query()),
        ListOptions.watch(request.query()),
        woken::release);
  }

  private static List<String> ids(ObjectWatch watch, Semaphore woken, int count)
      throws InterruptedException {
    List<String> ids = new ArrayList<>(auditIds(watch.poll(10)));
    while (ids.size() < count) {
      assertThat(woken.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
      ids.addAll(auditIds(watch.poll(10)));
    }
    return ids;
  }

  private static List<String> auditIds(ObjectWatch.Batch batch) {
    List<String> ids = new ArrayList<>();
    for (ObjectEvent event : batch.events()) {
      ApiObject tree = java.util.Objects.requireNonNull(event.object().tree());
      ids.add(tree.root().text("auditID"));
    }
    return ids;
  }

  private static List<String> ids(Objects list) {
    return list.items().stream().map(event -> event.root().text("auditID")).toList();
  }

  private static Request request(Verb verb, String namespace, String name, String query) {
    return new Request(
        verb,
        DEFINITION,
        new RequestInfo.Resource(
            "/",
            verb,
            new GroupVersion("audit.keelson.dev", "v1"),
            namespace,
            "auditevents",
            "",
            name,
            "",
            false),
        new RequestContext(new UserInfo("auditor", "", List.of(), Map.of()), "audit"),
        parse(query),
        null);
  }

  /** A query whose values are plain text. */
  private static Query parse(String query) {
    List<String> pairs = new ArrayList<>();
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      if (equals > 0) {
        String value = pair.substring(equals + 1).replace("%2B", "+");
        pairs.add(
            pair.substring(0, equals) + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8));
      }
    }
    return Query.parse(String.join("&", pairs));
  }

  @Test
  void anEvent_ofAnUnknownUser_isShown() throws Exception {
    TrailEvents nobody = get("a").by("");
    store.append(List.of(nobody.row()));

    assertThat(list("", "fieldSelector=user=").items()).hasSize(1);
  }
}
