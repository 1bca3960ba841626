package dev.keelson.audit.trail;

import static dev.keelson.audit.trail.TrailEvents.NOON;
import static dev.keelson.audit.trail.TrailEvents.get;
import static dev.keelson.audit.trail.TrailQuery.is;
import static dev.keelson.audit.trail.TrailQuery.isNot;
import static dev.keelson.audit.trail.TrailStore.NEWEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.audit.trail.TrailStore.Entry;
import dev.keelson.audit.trail.TrailStore.Tail;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What every {@link TrailStore} does. */
@Timeout(60)
public abstract class TrailStoreContract {

  protected TrailStore store;

  /** Opens the store under test; a second call opens the same database once more. */
  protected abstract TrailStore open() throws Exception;

  @BeforeEach
  protected void openStore() throws Exception {
    store = open();
  }

  @AfterEach
  void closeStore() {
    store.close();
  }

  @Test
  void search_returnsTheNewestFirst() throws Exception {
    store.append(List.of(get("b").at(NOON).row(), get("c").at(NOON.plusSeconds(1)).row()));
    store.append(List.of(get("a").at(NOON.minusSeconds(1)).row()));

    assertThat(ids(TrailQuery.ALL)).containsExactly("c", "b", "a");
  }

  @Test
  void search_returnsTheEventAsItWasWritten() throws Exception {
    TrailEvent event = get("a").by("Zoë\u0000 \uD83D\uDE00\"\\", "a\nb").row();
    store.append(List.of(event));

    Entry entry = store.search(TrailQuery.ALL, NEWEST, 10).getFirst();
    assertThat(entry.json()).isEqualTo(event.json());
    assertThat(entry.id()).isEqualTo(event.id()).matches(TrailId::isValid);
  }

  @Test
  void append_ofStoredEvents_skipsThem() throws Exception {
    List<TrailEvent> batch = List.of(get("a").row(), get("b").row());
    store.append(batch);
    store.append(batch);
    store.append(List.of(get("b").row(), get("c").row(), get("c").row()));

    assertThat(ids(TrailQuery.ALL)).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void append_ofAnotherEventWithTheSameAuditIdAndTime_storesIt() throws Exception {
    store.append(List.of(get("a").row()));
    store.append(List.of(get("a").verb("delete").row()));

    assertThat(ids(TrailQuery.ALL)).containsExactly("a", "a");
  }

  @Test
  void append_ofNothing_storesNothing() throws Exception {
    store.append(List.of());

    assertThat(ids(TrailQuery.ALL)).isEmpty();
    assertThat(store.bounds()).isEqualTo(new TrailStore.Bounds(0, 0));
  }

  @ParameterizedTest
  @CsvSource({
    "auditID, it",
    "stage, ResponseComplete",
    "level, Metadata",
    "user, bob",
    "group, ops",
    "verb, delete",
    "apiGroup, apps",
    "resource, deployments",
    "namespace, bank",
    "name, web",
    "code, 403",
    "code, 4xx",
    "decision, forbid",
    "sourceIP, 192.0.2.7",
    "userAgent, helm",
    "userAgent, helm/3.1",
  })
  void search_byAField_returnsItsEvents(String label, String value) throws Exception {
    TrailEvents it =
        get("it")
            .by("bob", "ops", "devs")
            .verb("delete")
            .object("apps", "deployments", "bank", "web")
            .answered(403, "no")
            .agent("helm/3.1");
    store.append(List.of(it.row(), get("other").agent("helmsman/3").row()));
    TrailField field = TrailField.of(label).orElseThrow();
    boolean ofBoth = List.of("stage", "level", "sourceIP").contains(label);

    assertThat(ids(TrailQuery.of(is(field, value)))).contains("it").hasSize(ofBoth ? 2 : 1);
    assertThat(ids(TrailQuery.of(isNot(field, value))))
        .isEqualTo(ofBoth ? List.of() : List.of("other"));
    assertThat(ids(TrailQuery.of(is(field, value + "x")))).isEmpty();
    assertThat(ids(TrailQuery.of(is(field, "' OR TRUE --")))).isEmpty();
  }

  @Test
  void search_bySeveralValues_returnsTheEventsOfEach() throws Exception {
    store.append(
        List.of(
            get("a").verb("get").row(), get("b").verb("list").row(), get("c").verb("watch").row()));

    assertThat(ids(TrailQuery.of(is(TrailField.VERB, "get", "list"))))
        .containsExactlyInAnyOrder("a", "b");
    assertThat(ids(TrailQuery.of(isNot(TrailField.VERB, "get", "list")))).containsExactly("c");
  }

  @Test
  void search_byAnEmptyField_returnsTheEventsWithoutIt() throws Exception {
    store.append(
        List.of(get("a").row(), get("b").object("", "nodes", "", "n1").answered(200, "").row()));

    assertThat(ids(TrailQuery.of(is(TrailField.NAMESPACE, "")))).containsExactly("b");
    assertThat(ids(TrailQuery.of(is(TrailField.GROUP, "")))).isEmpty();
    assertThat(ids(TrailQuery.of(isNot(TrailField.GROUP, "")))).hasSize(2);
  }

  @Test
  void search_byGroup_comparesWholeNames() throws Exception {
    store.append(List.of(get("a").by("bob", "developers").row(), get("b").by("eve").row()));

    assertThat(ids(TrailQuery.of(is(TrailField.GROUP, "devel")))).isEmpty();
    assertThat(ids(TrailQuery.of(is(TrailField.GROUP, "developers")))).containsExactly("a");
    assertThat(ids(TrailQuery.of(isNot(TrailField.GROUP, "developers")))).containsExactly("b");
  }

  @Test
  void search_byTime_includesTheBeginAndExcludesTheEnd() throws Exception {
    for (int i = 0; i < 5; i++) {
      store.append(List.of(get("e" + i).at(NOON.plusNanos(i * 1000L)).row()));
    }

    TrailQuery some =
        new TrailQuery(
            List.of(),
            TrailId.from(NOON.plusNanos(1000)),
            TrailId.from(NOON.plusNanos(3000)),
            List.of());
    assertThat(ids(some)).containsExactly("e2", "e1");
  }

  @Test
  void search_byText_looksIntoPathAndMessageInAnyCase() throws Exception {
    store.append(
        List.of(
            get("a").uri("/api/v1/pods?labelSelector=app%3DShop").row(),
            get("b").answered(404, "pods \"Web-1\" not\nfound é").row(),
            get("c").answered(200, "100% _ok_").row()));

    assertThat(ids(words("LABELSELECTOR"))).containsExactly("a");
    assertThat(ids(words("web-1", "not\nfound"))).containsExactly("b");
    assertThat(ids(words("É"))).containsExactly("b");
    assertThat(ids(words("web-1", "shop%"))).isEmpty();
    assertThat(ids(words("% _"))).containsExactly("c");
  }

  @Test
  void search_inPages_returnsEveryEventOnce() throws Exception {
    List<TrailEvent> events = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      events.add(get("e" + i).at(NOON.plusSeconds(i / 10)).row());
    }
    store.append(events);

    List<String> seen = new ArrayList<>();
    String before = NEWEST;
    List<Entry> page = store.search(TrailQuery.ALL, before, 10);
    while (!page.isEmpty()) {
      page.forEach(entry -> seen.add(entry.id()));
      before = page.getLast().id();
      // an event that is written between the pages shifts none of them
      store.append(List.of(get("new" + seen.size()).at(NOON.plusSeconds(60)).row()));
      page = store.search(TrailQuery.ALL, before, 10);
    }

    assertThat(seen)
        .hasSize(25)
        .doesNotHaveDuplicates()
        .isSortedAccordingTo((a, b) -> b.compareTo(a));
  }

  @Test
  void find_returnsOneEvent() throws Exception {
    TrailEvent event = get("a").row();
    store.append(List.of(event));

    assertThat(store.find(event.id()).orElseThrow().json()).isEqualTo(event.json());
    assertThat(store.find(get("b").row().id())).isEmpty();
  }

  @Test
  void tail_returnsEventsInTheOrderInWhichTheyWereAppended() throws Exception {
    store.append(List.of(get("a").at(NOON).row()));
    Tail first = store.tail(TrailQuery.ALL, 0, 10);
    store.append(List.of(get("late").at(NOON.minusSeconds(60)).row(), get("b").row()));

    assertThat(names(first.entries())).containsExactly("a");
    Tail second = store.tail(TrailQuery.ALL, first.position(), 10);
    assertThat(names(second.entries())).containsExactly("late", "b");
    assertThat(second.position()).isEqualTo(store.bounds().newest());
    assertThat(store.tail(TrailQuery.ALL, second.position(), 10))
        .isEqualTo(new Tail(List.of(), second.position()));
  }

  @Test
  void tail_skipsWhatIsNotSelectedAndMovesOn() throws Exception {
    store.append(List.of(get("a").row(), get("b").verb("delete").row(), get("c").row()));

    TrailQuery deletes = TrailQuery.of(is(TrailField.VERB, "delete"));
    Tail tail = store.tail(deletes, 0, 10);
    assertThat(names(tail.entries())).containsExactly("b");
    assertThat(tail.position()).isEqualTo(store.bounds().newest());

    Tail one = store.tail(TrailQuery.ALL, 0, 2);
    assertThat(names(one.entries())).containsExactly("a", "b");
    assertThat(names(store.tail(TrailQuery.ALL, one.position(), 2).entries())).containsExactly("c");
  }

  @Test
  void tail_besideTwoWriters_missesNothing() throws Exception {
    int each = 200;
    CountDownLatch go = new CountDownLatch(1);
    List<Thread> writers = new ArrayList<>();
    List<TrailStore> stores = List.of(open(), open());
    List<Throwable> failures = new ArrayList<>();
    for (int w = 0; w < 2; w++) {
      TrailStore mine = stores.get(w);
      String prefix = "w" + w + "-";
      writers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      go.await();
                      for (int i = 0; i < each; i += 4) {
                        List<TrailEvent> batch = new ArrayList<>();
                        for (int k = i; k < i + 4; k++) {
                          batch.add(get(prefix + k).at(NOON.plusSeconds(k)).row());
                        }
                        mine.append(batch);
                      }
                    } catch (Exception e) {
                      synchronized (failures) {
                        failures.add(e);
                      }
                    }
                  }));
    }
    go.countDown();

    List<String> seen = new ArrayList<>();
    long position = 0;
    while (seen.size() < 2 * each && failures.isEmpty()) {
      Tail tail = store.tail(TrailQuery.ALL, position, 50);
      seen.addAll(names(tail.entries()));
      position = tail.position();
    }

    for (Thread writer : writers) {
      writer.join();
    }
    stores.forEach(TrailStore::close);
    assertThat(failures).isEmpty();
    assertThat(seen).hasSize(2 * each).doesNotHaveDuplicates();
  }

  @Test
  void removeBefore_removesWholeDays() throws Exception {
    store.append(
        List.of(
            get("a").at(NOON.minus(Duration.ofDays(2))).row(),
            get("b").at(NOON.minus(Duration.ofDays(1))).row(),
            get("c").at(NOON.minus(Duration.ofHours(11))).row(),
            get("d").at(NOON).row()));

    store.removeBefore(NOON);

    assertThat(ids(TrailQuery.ALL)).containsExactly("d", "c");
    store.append(List.of(get("again").at(NOON.minus(Duration.ofDays(2))).row()));
    assertThat(ids(TrailQuery.ALL)).containsExactly("d", "c", "again");
  }

  @Test
  void bounds_moveWithWhatIsStored() throws Exception {
    store.append(List.of(get("a").at(NOON.minus(Duration.ofDays(3))).row()));
    long first = store.bounds().newest();
    store.append(List.of(get("b").row()));

    assertThat(store.bounds().oldest()).isEqualTo(first).isPositive();
    assertThat(store.bounds().newest()).isGreaterThan(first);
    store.removeBefore(NOON);
    assertThat(store.bounds().oldest()).isEqualTo(store.bounds().newest());
  }

  @Test
  void open_again_findsTheEvents() throws Exception {
    store.append(List.of(get("a").row()));
    store.close();
    store = open();

    assertThat(ids(TrailQuery.ALL)).containsExactly("a");
  }

  @Test
  void calls_afterClose_areUnavailable() {
    store.close();
    store.close();

    assertThatThrownBy(() -> store.append(List.of(get("a").row())))
        .isInstanceOf(TrailException.Unavailable.class);
    assertThatThrownBy(() -> ids(TrailQuery.ALL)).isInstanceOf(TrailException.Unavailable.class);
  }

  private static TrailQuery words(String... words) {
    return new TrailQuery(List.of(), null, null, List.of(words));
  }

  private List<String> ids(TrailQuery query) throws TrailException {
    return names(store.search(query, NEWEST, 100));
  }

  /** The audit ids, which the tests use as names. */
  private static List<String> names(List<Entry> entries) {
    return entries.stream()
        .map(
            entry -> {
              String json = new String(entry.json(), StandardCharsets.UTF_8);
              int from = json.indexOf("\"auditID\":\"") + "\"auditID\":\"".length();
              return json.substring(from, json.indexOf('"', from));
            })
        .toList();
  }
}
