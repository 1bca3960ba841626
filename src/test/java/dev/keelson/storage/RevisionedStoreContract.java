package dev.keelson.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every {@link RevisionedStore} does. An implementation's test supplies the store; keys of a
 * test lie under a prefix of its own, since the store may be shared.
 */
@Timeout(120)
public abstract class RevisionedStoreContract {

  /** Short enough to wait for its end, and long enough for a slow machine to write before it. */
  private static final Duration LEASE = Duration.ofSeconds(5);

  private static final Duration SHORT = Duration.ofMillis(150);
  private static final Duration LONG = Duration.ofSeconds(60);

  private RevisionedStore store;
  private String prefix;
  private final List<ChangeFeed> feeds = new ArrayList<>();

  /** Opens the store that the test works on; called once before each test. */
  protected abstract RevisionedStore open() throws Exception;

  /**
   * Lets the store as a whole go down and come back with its data; returns a store opened on it.
   * The one given has been closed.
   */
  protected abstract RevisionedStore restart() throws Exception;

  @BeforeEach
  final void openStore() throws Exception {
    prefix = "/contract/" + Long.toHexString(ThreadLocalRandom.current().nextLong()) + "/";
    store = open();
  }

  @AfterEach
  final void closeStore() {
    feeds.forEach(ChangeFeed::close);
    store.close();
  }

  // ---- helpers

  protected final RevisionedStore store() {
    return store;
  }

  protected final Bytes key(String name) {
    return Bytes.utf8(prefix + name);
  }

  protected final KeyRange everything() {
    return KeyRange.prefix(Bytes.utf8(prefix));
  }

  protected static Bytes bytes(String text) {
    return Bytes.utf8(text);
  }

  private static Bytes big(int length, int seed) {
    byte[] bytes = new byte[length];
    new java.util.Random(seed).nextBytes(bytes);
    return Bytes.wrap(bytes);
  }

  private static long applied(WriteOutcome outcome) {
    assertThat(outcome).isInstanceOf(WriteOutcome.Applied.class);
    return ((WriteOutcome.Applied) outcome).revision();
  }

  protected final long put(String name, String value, long expected) {
    return applied(store.write(Write.put(key(name), bytes(value), expected)));
  }

  protected final long create(String name, String value) {
    return put(name, value, Write.ABSENT);
  }

  protected final long delete(String name, long expected) {
    return applied(store.write(Write.delete(key(name), expected)));
  }

  /** Moves the store's revision on without touching the test's keys. */
  private long bump() {
    return applied(
        store.write(
            Write.put(
                bytes("/bump/" + Long.toHexString(ThreadLocalRandom.current().nextLong())),
                bytes("x"),
                Write.ABSENT)));
  }

  protected final ChangeFeed feed(long after) {
    return feed(everything(), after);
  }

  private ChangeFeed feed(KeyRange range, long after) {
    ChangeFeed feed = store.feed(range, after);
    feeds.add(feed);
    return feed;
  }

  /** Reads a feed until {@code count} changes came, and checks what every feed owes. */
  protected static List<Change> take(ChangeFeed feed, int count) throws InterruptedException {
    List<Change> changes = new ArrayList<>();
    long end = System.nanoTime() + LONG.toNanos();
    long told = 0;
    while (changes.size() < count) {
      assertThat(System.nanoTime()).as("time; got %s", changes.size()).isLessThan(end);
      ChangeFeed.Batch batch = feed.next(LONG);
      if (batch == null) {
        continue;
      }
      assertThat(batch.revision()).isGreaterThanOrEqualTo(told);
      for (Change change : batch.changes()) {
        assertThat(change.revision())
            .as("revisions come in order, and none after it was told as done")
            .isGreaterThan(told)
            .isLessThanOrEqualTo(batch.revision());
        if (!changes.isEmpty()) {
          assertThat(change.revision()).isGreaterThanOrEqualTo(changes.getLast().revision());
        }
        changes.add(change);
      }
      told = batch.revision();
    }
    assertThat(changes).hasSize(count);
    return changes;
  }

  private static void assertQuiet(ChangeFeed feed) throws InterruptedException {
    long end = System.nanoTime() + SHORT.toNanos();
    while (System.nanoTime() < end) {
      ChangeFeed.Batch batch = feed.next(SHORT);
      assertThat(batch == null ? List.of() : batch.changes()).isEmpty();
    }
  }

  /** Runs {@code tasks} at the same time, each on a virtual thread, and waits for all. */
  private static <T> List<T> together(List<? extends Callable<T>> tasks) throws Exception {
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      List<T> results = new ArrayList<>();
      for (Future<T> future : executor.invokeAll(tasks)) {
        results.add(future.get());
      }
      return results;
    }
  }

  private @Nullable Entry get(String name) {
    return store.get(key(name), RevisionedStore.NEWEST).entry();
  }

  private Entry existing(String name, long atRevision) {
    Entry entry = store.get(key(name), atRevision).entry();
    if (entry == null) {
      throw new AssertionError("%s does not exist at %d".formatted(name, atRevision));
    }
    return entry;
  }

  private Bytes value(String name, long atRevision) {
    return existing(name, atRevision).value();
  }

  private static List<String> names(Page page) {
    return page.entries().stream()
        .map(entry -> entry.key().utf8().substring(entry.key().utf8().lastIndexOf('/') + 1))
        .toList();
  }

  // ---- writes of one key

  @Test
  void get_ofUnknownKey_isNullAtARevision() {
    Read read = store.get(key("a"), RevisionedStore.NEWEST);

    assertThat(read.entry()).isNull();
    assertThat(read.revision()).isPositive();
  }

  @Test
  void create_ofAbsentKey_isAppliedAndRead() {
    long before = store.revision();

    long revision = create("a", "1");

    assertThat(revision).isGreaterThan(before);
    Read read = store.get(key("a"), RevisionedStore.NEWEST);
    assertThat(read.entry()).isEqualTo(new Entry(key("a"), bytes("1"), revision, revision));
    assertThat(read.revision()).isGreaterThanOrEqualTo(revision);
    assertThat(store.revision()).isGreaterThanOrEqualTo(revision);
  }

  @Test
  void create_ofExistingKey_conflictsAndReturnsCurrent() {
    long revision = create("a", "1");

    WriteOutcome outcome = store.write(Write.put(key("a"), bytes("2"), Write.ABSENT));

    assertThat(outcome)
        .isEqualTo(new WriteOutcome.Conflict(new Entry(key("a"), bytes("1"), revision, revision)));
    assertThat(value("a", RevisionedStore.NEWEST)).isEqualTo(bytes("1"));
  }

  @Test
  void update_atCurrentRevision_keepsCreateRevision() {
    long first = create("a", "1");

    long second = put("a", "2", first);

    assertThat(second).isGreaterThan(first);
    assertThat(get("a")).isEqualTo(new Entry(key("a"), bytes("2"), first, second));
  }

  @Test
  void update_withStaleRevision_conflictsAndReturnsCurrent() {
    long first = create("a", "1");
    long second = put("a", "2", first);

    WriteOutcome outcome = store.write(Write.put(key("a"), bytes("3"), first));

    assertThat(outcome)
        .isEqualTo(new WriteOutcome.Conflict(new Entry(key("a"), bytes("2"), first, second)));
  }

  private WriteOutcome guarded(String name, long expected, String guard, long revision) {
    return store.write(
        new Write.Put(key(name), bytes("x"), expected, 0, new Write.Guard(key(guard), revision)));
  }

  @Test
  void put_whoseGuardIsAsExpected_isApplied() {
    long guard = create("guard", "1");

    assertThat(guarded("a", Write.ABSENT, "guard", guard)).isInstanceOf(WriteOutcome.Applied.class);
    assertThat(guarded("b", Write.ABSENT, "none", Write.ABSENT))
        .isInstanceOf(WriteOutcome.Applied.class);
  }

  @Test
  void put_whoseGuardChanged_isGuarded() {
    long old = create("guard", "1");
    long now = put("guard", "2", old);

    assertThat(guarded("a", Write.ABSENT, "guard", old)).isEqualTo(new WriteOutcome.Guarded(now));
    assertThat(guarded("a", Write.ABSENT, "guard", Write.ABSENT))
        .isEqualTo(new WriteOutcome.Guarded(now));
    assertThat(get("a")).isNull();
    applied(store.write(Write.delete(key("guard"), now)));
    assertThat(guarded("a", Write.ABSENT, "guard", now))
        .isEqualTo(new WriteOutcome.Guarded(Write.ABSENT));
    assertThat(guarded("a", Write.ABSENT, "guard", Write.ABSENT))
        .isInstanceOf(WriteOutcome.Applied.class);
  }

  @Test
  void put_thatConflicts_doesSoWhateverItsGuard() {
    long guard = create("guard", "1");
    long first = create("a", "1");

    assertThat(guarded("a", Write.ABSENT, "guard", guard))
        .isInstanceOf(WriteOutcome.Conflict.class);
    assertThat(guarded("a", first - 1, "guard", Write.ABSENT))
        .isInstanceOf(WriteOutcome.Conflict.class);
    assertThat(guarded("b", first, "guard", guard)).isInstanceOf(WriteOutcome.Missing.class);
  }

  @Test
  void update_ofMissingKey_isMissing() {
    long known = create("other", "1");

    WriteOutcome outcome = store.write(Write.put(key("a"), bytes("2"), known));

    assertThat(outcome).isInstanceOf(WriteOutcome.Missing.class);
    assertThat(((WriteOutcome.Missing) outcome).revision()).isGreaterThanOrEqualTo(known);
    assertThat(get("a")).isNull();
  }

  @Test
  void delete_atCurrentRevision_removes() {
    long first = create("a", "1");

    long gone = delete("a", first);

    assertThat(gone).isGreaterThan(first);
    assertThat(get("a")).isNull();
    assertThat(value("a", first)).isEqualTo(bytes("1"));
    assertThat(store.get(key("a"), gone).entry()).isNull();
  }

  @Test
  void delete_withStaleRevision_conflictsAndReturnsCurrent() {
    long first = create("a", "1");
    long second = put("a", "2", first);

    WriteOutcome outcome = store.write(Write.delete(key("a"), first));

    assertThat(outcome)
        .isEqualTo(new WriteOutcome.Conflict(new Entry(key("a"), bytes("2"), first, second)));
    assertThat(get("a")).isNotNull();
  }

  @Test
  void delete_ofMissingKey_isMissing() {
    long first = create("a", "1");
    delete("a", first);

    assertThat(store.write(Write.delete(key("a"), first))).isInstanceOf(WriteOutcome.Missing.class);
    assertThat(store.write(Write.delete(key("never"), first)))
        .isInstanceOf(WriteOutcome.Missing.class);
  }

  @Test
  void recreate_afterDelete_hasANewCreateRevision() {
    long first = create("a", "1");
    delete("a", first);

    long again = create("a", "2");

    assertThat(get("a")).isEqualTo(new Entry(key("a"), bytes("2"), again, again));
    assertThat(existing("a", first).createRevision()).isEqualTo(first);
  }

  @Test
  void write_thatDoesNotHappen_takesNoRevision() {
    long first = create("a", "1");
    long before = store.revision();

    store.write(Write.put(key("a"), bytes("2"), Write.ABSENT));
    store.write(Write.delete(key("b"), first));

    assertThat(store.revision()).isEqualTo(before);
  }

  @Test
  void emptyValue_isKept() {
    long revision = create("a", "");

    assertThat(get("a")).isEqualTo(new Entry(key("a"), Bytes.EMPTY, revision, revision));
    assertThat(store.range(everything(), RevisionedStore.NEWEST, 10).entries()).hasSize(1);
  }

  @Test
  void value_ofOneMebibyte_isKept() throws Exception {
    long start = store.revision();
    Bytes value = big(1 << 20, 1);

    applied(store.write(Write.put(key("a"), value, Write.ABSENT)));

    assertThat(value("a", RevisionedStore.NEWEST)).isEqualTo(value);
    assertThat(((Change.Put) take(feed(start), 1).getFirst()).entry().value()).isEqualTo(value);
  }

  @Test
  void value_thatIsTooLarge_isRefusedAndNotWritten() {
    Bytes value = big(3 << 20, 1);

    assertThatThrownBy(() -> store.write(Write.put(key("a"), value, Write.ABSENT)))
        .isInstanceOf(StorageException.TooLarge.class);

    assertThat(get("a")).isNull();
    create("a", "still works");
  }

  @Test
  void keys_areBytes() {
    Bytes low = Bytes.wrap(new byte[] {'/', 'b', 'i', 'n', 0, 1});
    Bytes high = Bytes.wrap(new byte[] {'/', 'b', 'i', 'n', (byte) 0xff, (byte) 0xfe});
    Bytes prefixKey = Bytes.wrap(new byte[] {'/', 'b', 'i', 'n'});
    for (Bytes key : List.of(high, low, prefixKey)) {
      Entry old = store.get(key, RevisionedStore.NEWEST).entry();
      if (old != null) {
        applied(store.write(Write.delete(key, old.modRevision())));
      }
      applied(store.write(Write.put(key, key, Write.ABSENT)));
    }

    Page page = store.range(KeyRange.prefix(prefixKey), RevisionedStore.NEWEST, 10);

    assertThat(page.entries()).extracting(Entry::key).containsExactly(prefixKey, low, high);
    assertThat(page.entries()).extracting(Entry::value).containsExactly(prefixKey, low, high);
  }

  // ---- revisions

  @Test
  void revisions_underConcurrency_areDistinctAndRiseForEachWriter() throws Exception {
    Set<Long> seen = ConcurrentHashMap.newKeySet();
    List<Callable<Void>> writers = new ArrayList<>();
    for (int writer = 0; writer < 16; writer++) {
      String name = "w" + writer + "-";
      writers.add(
          () -> {
            long last = 0;
            for (int i = 0; i < 40; i++) {
              long revision = create(name + i, "v");
              assertThat(revision).isGreaterThan(last);
              assertThat(seen.add(revision)).as("revision %s is new", revision).isTrue();
              last = revision;
            }
            return null;
          });
    }

    together(writers);

    assertThat(seen).hasSize(16 * 40);
    assertThat(store.revision()).isGreaterThanOrEqualTo(seen.stream().max(Long::compare).get());
  }

  @Test
  void increments_byCompareAndSwap_loseNone() throws Exception {
    int clients = 16;
    int each = 25;
    create("n", "0");
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int client = 0; client < clients; client++) {
      tasks.add(
          () -> {
            for (int i = 0; i < each; i++) {
              increment();
            }
            return null;
          });
    }

    together(tasks);

    assertThat(value("n", RevisionedStore.NEWEST)).isEqualTo(bytes(String.valueOf(clients * each)));
  }

  private void increment() {
    Entry entry = existing("n", RevisionedStore.NEWEST);
    while (true) {
      int next = Integer.parseInt(entry.value().utf8()) + 1;
      WriteOutcome outcome =
          store.write(Write.put(key("n"), bytes(String.valueOf(next)), entry.modRevision()));
      switch (outcome) {
        case WriteOutcome.Applied done -> {
          return;
        }
        case WriteOutcome.Conflict(Entry current) -> entry = current;
        case WriteOutcome.Missing _, WriteOutcome.Guarded _ ->
            throw new AssertionError("the counter is gone");
      }
    }
  }

  @Test
  void read_afterAnsweredWrite_seesIt() throws Exception {
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int client = 0; client < 8; client++) {
      String name = "c" + client;
      tasks.add(
          () -> {
            long revision = create(name, "0");
            for (int i = 1; i < 50; i++) {
              revision = put(name, String.valueOf(i), revision);
              Read read = store.get(key(name), RevisionedStore.NEWEST);
              assertThat(read.entry())
                  .isNotNull()
                  .extracting(Entry::value)
                  .isEqualTo(bytes(String.valueOf(i)));
              assertThat(store.revision()).isGreaterThanOrEqualTo(read.revision());
              Page page = store.range(KeyRange.single(key(name)), RevisionedStore.NEWEST, 1);
              assertThat(page.entries().getFirst().modRevision()).isEqualTo(revision);
              assertThat(page.revision()).isGreaterThanOrEqualTo(read.revision());
            }
            return null;
          });
    }

    together(tasks);
  }

  @Test
  void restart_keepsEntriesHistoryAndRevision() throws Exception {
    long first = create("a", "1");
    long second = put("a", "2", first);
    long gone = delete("b", create("b", "x"));
    store.close();

    store = restart();

    assertThat(get("a")).isEqualTo(new Entry(key("a"), bytes("2"), first, second));
    assertThat(value("a", first)).isEqualTo(bytes("1"));
    assertThat(get("b")).isNull();
    assertThat(store.revision()).isGreaterThanOrEqualTo(gone);
    assertThat(create("c", "3")).isGreaterThan(gone);
    assertThat(take(feed(first - 1), 5)).hasSize(5);
  }

  // ---- ranges

  @Test
  void range_isInOrderOfKeys() {
    for (String name : List.of("c", "a", "b", "aa", "B")) {
      create(name, name);
    }

    Page page = store.range(everything(), RevisionedStore.NEWEST, 100);

    assertThat(names(page)).containsExactly("B", "a", "aa", "b", "c");
    assertThat(page.more()).isFalse();
    assertThat(page.count()).isEqualTo(5);
    assertThat(page.revision()).isEqualTo(store.revision());
  }

  @Test
  void range_withoutEntries_isEmpty() {
    long revision = create("a", "1");

    Page page = store.range(KeyRange.prefix(key("x")), RevisionedStore.NEWEST, 100);

    assertThat(page.entries()).isEmpty();
    assertThat(page.more()).isFalse();
    assertThat(page.count()).isZero();
    assertThat(page.revision()).isGreaterThanOrEqualTo(revision);
  }

  @Test
  void range_excludesItsEndAndIncludesItsStart() {
    List.of("a", "b", "c", "d").forEach(name -> create(name, name));

    Page page = store.range(new KeyRange(key("b"), key("d")), RevisionedStore.NEWEST, 100);

    assertThat(names(page)).containsExactly("b", "c");
  }

  @Test
  void range_withoutUpperBound_reachesTheEnd() {
    create("y", "1");
    create("z", "2");

    Page page = store.range(new KeyRange(key("z"), Bytes.EMPTY), RevisionedStore.NEWEST, 1);

    assertThat(names(page)).containsExactly("z");
    assertThat(page.count()).isPositive();
  }

  @Test
  void range_inPages_isOneRevisionAndComplete() {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      String name = "k%02d".formatted(i);
      expected.add(name);
      create(name, name);
    }

    List<String> found = new ArrayList<>();
    KeyRange rest = everything();
    Page page = store.range(rest, RevisionedStore.NEWEST, 10);
    long revision = page.revision();
    long remaining = 25;
    while (true) {
      assertThat(page.count()).isEqualTo(remaining);
      assertThat(page.revision()).isEqualTo(revision);
      found.addAll(names(page));
      remaining -= page.entries().size();
      assertThat(page.more()).isEqualTo(remaining > 0);
      if (!page.more()) {
        break;
      }
      // changes between the pages must not show
      create("k%02dnew".formatted(found.size()), "x");
      delete("k24x", create("k24x", "x"));
      rest = rest.startingAfter(page.entries().getLast().key());
      page = store.range(rest, revision, 10);
    }

    assertThat(found).isEqualTo(expected);
  }

  @Test
  void range_withLimitEqualToCount_hasNoMore() {
    create("a", "1");
    create("b", "2");

    Page page = store.range(everything(), RevisionedStore.NEWEST, 2);

    assertThat(names(page)).containsExactly("a", "b");
    assertThat(page.more()).isFalse();
    assertThat(page.count()).isEqualTo(2);
  }

  @Test
  void range_atAnOldRevision_showsThatState() {
    long a1 = create("a", "a1");
    long b1 = create("b", "b1");
    long a2 = put("a", "a2", a1);
    long gone = delete("b", b1);
    long c1 = create("c", "c1");
    long again = create("b", "b2");

    assertThat(values(store.range(everything(), a1, 9))).containsExactly("a1");
    assertThat(values(store.range(everything(), b1, 9))).containsExactly("a1", "b1");
    assertThat(values(store.range(everything(), a2, 9))).containsExactly("a2", "b1");
    assertThat(values(store.range(everything(), gone, 9))).containsExactly("a2");
    assertThat(values(store.range(everything(), c1, 9))).containsExactly("a2", "c1");
    assertThat(values(store.range(everything(), again, 9))).containsExactly("a2", "b2", "c1");
    Page page = store.range(everything(), b1, 1);
    assertThat(page.revision()).isEqualTo(b1);
    assertThat(page.count()).isEqualTo(2);
    assertThat(page.more()).isTrue();
  }

  private static List<String> values(Page page) {
    return page.entries().stream().map(entry -> entry.value().utf8()).toList();
  }

  @Test
  void range_ofManyLargeValues_isCompleteInPages() {
    int count = 40;
    for (int i = 0; i < count; i++) {
      applied(store.write(Write.put(key("k%02d".formatted(i)), big(300_000, i), Write.ABSENT)));
    }

    KeyRange rest = everything();
    long revision = RevisionedStore.NEWEST;
    int found = 0;
    boolean more = true;
    while (more) {
      Page page = store.range(rest, revision, 1000);
      for (Entry entry : page.entries()) {
        assertThat(entry.value()).isEqualTo(big(300_000, found));
        found++;
      }
      revision = page.revision();
      more = page.more();
      rest = more ? rest.startingAfter(page.entries().getLast().key()) : rest;
    }

    assertThat(found).isEqualTo(count);
  }

  @Test
  void range_withLimitBelowOne_isRefused() {
    assertThatThrownBy(() -> store.range(everything(), RevisionedStore.NEWEST, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // ---- old and future revisions

  @Test
  void read_atFutureRevision_saysSo() {
    long newest = create("a", "1");

    assertThatThrownBy(() -> store.get(key("a"), newest + 1000))
        .isInstanceOf(StorageException.FutureRevision.class);
    assertThatThrownBy(() -> store.range(everything(), newest + 1000, 10))
        .isInstanceOf(StorageException.FutureRevision.class);
    assertThatThrownBy(() -> store.compact(newest + 1000))
        .isInstanceOf(StorageException.FutureRevision.class);
  }

  @Test
  void history_ofALiveKey_hasEveryChangeWithTheNewestFirst() {
    long first = create("a", "1");
    create("b", "1");
    long second = put("a", "2", first);
    long third = put("a", "3", second);

    assertThat(store.history(key("a"), RevisionedStore.NEWEST, 10))
        .containsExactly(
            new KeyRevision(third, first),
            new KeyRevision(second, first),
            new KeyRevision(first, first));
    assertThat(store.history(key("a"), second, 10))
        .extracting(KeyRevision::revision)
        .containsExactly(second, first);
    assertThat(store.history(key("a"), RevisionedStore.NEWEST, 2))
        .extracting(KeyRevision::revision)
        .containsExactly(third, second);
  }

  @Test
  void history_acrossDeletions_hasEveryLife() {
    long first = create("a", "1");
    long gone = delete("a", first);
    long again = create("a", "2");
    long end = delete("a", again);

    assertThat(store.history(key("a"), RevisionedStore.NEWEST, 10))
        .containsExactly(
            new KeyRevision(end, 0),
            new KeyRevision(again, again),
            new KeyRevision(gone, 0),
            new KeyRevision(first, first));
    assertThat(store.history(key("a"), gone, 10))
        .extracting(KeyRevision::revision)
        .containsExactly(gone, first);
    assertThat(store.get(key("a"), again).entry())
        .isEqualTo(new Entry(key("a"), bytes("2"), again, again));
    assertThat(store.get(key("a"), gone).entry()).isNull();
  }

  @Test
  void history_ofAKeyThatNeverWas_isEmpty() {
    create("b", "1");

    assertThat(store.history(key("a"), RevisionedStore.NEWEST, 10)).isEmpty();
  }

  @Test
  void history_endsWithTheStateAtTheCompactedRevision() {
    long first = create("a", "1");
    long second = put("a", "2", first);
    long at = bump();
    long third = put("a", "3", second);

    store.compact(at);

    assertThat(store.history(key("a"), RevisionedStore.NEWEST, 10))
        .containsExactly(new KeyRevision(third, first), new KeyRevision(second, first));
    assertThatThrownBy(() -> store.history(key("a"), second, 10))
        .isInstanceOf(StorageException.Compacted.class);
  }

  @Test
  void history_afterACompactedDeletion_beginsWithTheNewLife() {
    long first = create("a", "1");
    delete("a", first);
    long at = bump();
    long again = create("a", "2");

    store.compact(at);

    assertThat(store.history(key("a"), RevisionedStore.NEWEST, 10))
        .containsExactly(new KeyRevision(again, again));
  }

  @Test
  void history_atAFutureRevision_saysSo() {
    long first = create("a", "1");

    assertThatThrownBy(() -> store.history(key("a"), first + 1_000_000, 10))
        .isInstanceOf(StorageException.FutureRevision.class);
  }

  @Test
  void compact_keepsItsRevisionAndForgetsOlder() {
    long first = create("a", "1");
    long second = put("a", "2", first);
    long third = put("a", "3", second);

    store.compact(second);

    assertThat(value("a", second)).isEqualTo(bytes("2"));
    assertThat(value("a", third)).isEqualTo(bytes("3"));
    assertThatThrownBy(() -> store.get(key("a"), first))
        .isInstanceOf(StorageException.Compacted.class);
    assertThatThrownBy(() -> store.range(everything(), first, 10))
        .isInstanceOf(StorageException.Compacted.class);
  }

  @Test
  void compact_atOrBeforeTheLast_isRefused() {
    long first = create("a", "1");
    long second = put("a", "2", first);
    store.compact(second);

    assertThatThrownBy(() -> store.compact(second)).isInstanceOf(StorageException.Compacted.class);
    assertThatThrownBy(() -> store.compact(first)).isInstanceOf(StorageException.Compacted.class);
    assertThat(value("a", RevisionedStore.NEWEST)).isEqualTo(bytes("2"));
  }

  @Test
  void compact_ofDeletedKeys_leavesOldStatesThatAreKept() {
    long a1 = create("a", "1");
    long gone = delete("a", a1);
    long again = create("a", "2");
    long last = delete("a", again);
    long end = bump();

    store.compact(gone);

    assertThat(store.get(key("a"), gone).entry()).isNull();
    assertThat(value("a", again)).isEqualTo(bytes("2"));
    assertThat(store.get(key("a"), last).entry()).isNull();

    store.compact(end);

    assertThat(get("a")).isNull();
    assertThat(store.range(everything(), RevisionedStore.NEWEST, 10).count()).isZero();
    create("a", "3");
  }

  // ---- feeds

  @Test
  void feed_fromThePast_tellsEveryLaterChangeInOrder() throws Exception {
    long first = create("a", "1");
    long second = put("a", "2", first);
    long third = create("b", "3");
    long gone = delete("a", second);

    List<Change> changes = take(feed(first), 3);

    assertThat(changes)
        .containsExactly(
            new Change.Put(
                new Entry(key("a"), bytes("2"), first, second),
                new Entry(key("a"), bytes("1"), first, first)),
            new Change.Put(new Entry(key("b"), bytes("3"), third, third), null),
            new Change.Delete(key("a"), gone, new Entry(key("a"), bytes("2"), first, second)));
  }

  @Test
  void feed_fromNow_tellsOnlyNewChanges() throws Exception {
    create("a", "1");
    ChangeFeed feed = feed(store.revision());
    assertQuiet(feed);

    long revision = create("b", "2");

    assertThat(take(feed, 1).getFirst().revision()).isEqualTo(revision);
    assertQuiet(feed);
  }

  @Test
  void feed_fromTheFuture_waits() throws Exception {
    long now = store.revision();
    ChangeFeed feed = feed(now + 2);

    long skipped = create("a", "1");
    long alsoSkipped = create("b", "2");
    long told = create("c", "3");

    assertThat(skipped).isLessThan(alsoSkipped).isLessThanOrEqualTo(now + 2);
    assertThat(take(feed, 1).getFirst().revision()).isEqualTo(told);
  }

  @Test
  void feed_tellsOnlyItsRange() throws Exception {
    ChangeFeed feed = feed(KeyRange.prefix(key("b/")), store.revision());

    create("a", "1");
    long inside = create("b/1", "2");
    create("b0", "3");
    long last = create("b/2", "4");

    assertThat(take(feed, 2)).extracting(Change::revision).containsExactly(inside, last);
    assertQuiet(feed);
  }

  @Test
  void feed_ofOneKey_tellsOnlyThatKey() throws Exception {
    ChangeFeed feed = feed(KeyRange.single(key("a")), store.revision());

    create("a0", "1");
    long revision = create("a", "2");

    assertThat(take(feed, 1).getFirst().revision()).isEqualTo(revision);
    assertQuiet(feed);
  }

  @Test
  void feed_afterRecreation_hasNoPreviousEntry() throws Exception {
    long first = create("a", "1");
    long gone = delete("a", first);
    create("a", "2");

    Change change = take(feed(gone), 1).getFirst();

    assertThat(change.previous()).isNull();
  }

  @Test
  void feed_next_withoutChange_isNullAfterTheTimeout() throws Exception {
    ChangeFeed feed = feed(store.revision());

    long begun = System.nanoTime();
    ChangeFeed.Batch batch = feed.next(SHORT);

    assertThat(batch == null || batch.changes().isEmpty()).isTrue();
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(LONG);
  }

  @Test
  void feed_closedWhileWaiting_saysClosed() throws Exception {
    ChangeFeed feed = feed(store.revision());
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<ChangeFeed.Batch> waiting = executor.submit(() -> drainTo(feed));

      feed.close();

      assertThatThrownBy(waiting::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(StorageException.Closed.class);
    }
    feed.close();
    assertThatThrownBy(() -> feed.next(SHORT)).isInstanceOf(StorageException.Closed.class);
  }

  /** Reads until the feed fails. */
  private static ChangeFeed.Batch drainTo(ChangeFeed feed) throws InterruptedException {
    while (true) {
      ChangeFeed.Batch batch = feed.next(LONG);
      if (batch != null && !batch.changes().isEmpty()) {
        return batch;
      }
    }
  }

  @Test
  void feed_interruptedWhileWaiting_throws() throws Exception {
    ChangeFeed feed = feed(store.revision());
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> feed.next(LONG)).isInstanceOf(InterruptedException.class);

    long revision = create("a", "1");
    assertThat(take(feed, 1).getFirst().revision()).isEqualTo(revision);
  }

  @Test
  void feed_fromBeforeTheCompactedRevision_saysCompacted() {
    long first = create("a", "1");
    long second = put("a", "2", first);
    store.compact(second);
    ChangeFeed feed = feed(first - 1);

    assertThatThrownBy(() -> drainTo(feed)).isInstanceOf(StorageException.Compacted.class);
    assertThatThrownBy(() -> drainTo(feed)).isInstanceOf(StorageException.Compacted.class);
  }

  @Test
  void feed_fromTheCompactedRevision_tellsAllLaterChanges() throws Exception {
    long first = create("a", "1");
    long second = put("a", "2", first);
    long gone = delete("a", second);

    store.compact(second);

    assertThat(take(feed(second), 1).getFirst().revision()).isEqualTo(gone);
  }

  @Test
  void feed_thatRuns_outlivesCompaction() throws Exception {
    ChangeFeed feed = feed(store.revision());
    long revision = create("a", "0");
    take(feed, 1);

    for (int i = 1; i < 20; i++) {
      revision = put("a", String.valueOf(i), revision);
      assertThat(take(feed, 1).getFirst().revision()).isEqualTo(revision);
      store.compact(revision);
    }
  }

  @Test
  void feeds_inGreatNumber_allTellEverything() throws Exception {
    List<ChangeFeed> many = new ArrayList<>();
    long start = store.revision();
    for (int i = 0; i < 50; i++) {
      many.add(feed(start));
    }
    List<Long> written = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      written.add(create("k" + i, "v"));
    }

    for (ChangeFeed feed : many) {
      assertThat(take(feed, 20)).extracting(Change::revision).isEqualTo(written);
    }
  }

  @Test
  void feed_withASlowReader_losesNothing() throws Exception {
    ChangeFeed slow = feed(store.revision());
    int writers = 16;
    int each = 700;
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int writer = 0; writer < writers; writer++) {
      String name = "w" + writer;
      tasks.add(
          () -> {
            Bytes value = big(2000, 7);
            long revision = 0;
            for (int i = 0; i < each; i++) {
              revision = applied(store.write(Write.put(key(name), value, revision)));
            }
            return null;
          });
    }
    together(tasks);

    List<Change> changes = take(slow, writers * each);

    assertThat(changes.stream().map(Change::revision).distinct().count())
        .isEqualTo((long) writers * each);
  }

  @Test
  void feed_replayed_givesTheStateAtEachRevision() throws Exception {
    long start = store.revision();
    ChangeFeed live = feed(start);
    ConcurrentSkipListSet<Long> written = new ConcurrentSkipListSet<>();
    List<Callable<Void>> tasks = new ArrayList<>();
    for (int writer = 0; writer < 8; writer++) {
      int seed = writer;
      tasks.add(
          () -> {
            randomWrites(new java.util.Random(seed), written);
            return null;
          });
    }
    together(tasks);

    List<Change> changes = take(live, written.size());

    assertThat(changes).extracting(Change::revision).containsExactlyElementsOf(written);
    assertThat(take(feed(start), written.size())).isEqualTo(changes);
    Map<Bytes, Entry> state = new TreeMap<>();
    int step = 0;
    for (Change change : changes) {
      assertThat(change.previous()).isEqualTo(state.get(change.key()));
      switch (change) {
        case Change.Put put -> state.put(put.key(), put.entry());
        case Change.Delete gone -> state.remove(gone.key());
      }
      if (step++ % 7 == 0) {
        Page page = store.range(everything(), change.revision(), 1000);
        assertThat(page.entries()).containsExactlyElementsOf(state.values());
        assertThat(page.count()).isEqualTo(state.size());
      }
    }
  }

  private void randomWrites(java.util.Random random, Set<Long> written) {
    for (int i = 0; i < 60; i++) {
      Bytes key = key("k" + random.nextInt(12));
      Entry current = store.get(key, RevisionedStore.NEWEST).entry();
      long expected = current == null ? Write.ABSENT : current.modRevision();
      Write write =
          current != null && random.nextInt(3) == 0
              ? Write.delete(key, expected)
              : Write.put(key, bytes("v" + random.nextInt()), expected);
      if (store.write(write) instanceof WriteOutcome.Applied(long revision)) {
        written.add(revision);
      }
    }
  }

  // ---- leases

  @Test
  void lease_takesItsKeysWithIt() throws Exception {
    long lease = store.grantLease(LEASE);
    assertThat(lease).isNotZero();
    ChangeFeed feed = feed(store.revision());
    for (String name : List.of("a", "b")) {
      applied(store.write(new Write.Put(key(name), bytes("x"), Write.ABSENT, lease)));
    }
    create("c", "stays");

    List<Change> changes = take(feed, 5);

    assertThat(changes.subList(3, 5))
        .allMatch(change -> change instanceof Change.Delete)
        .allMatch(change -> change.previous() != null)
        .extracting(Change::key)
        .containsExactlyInAnyOrder(key("a"), key("b"));
    assertThat(names(store.range(everything(), RevisionedStore.NEWEST, 10))).containsExactly("c");
  }

  @Test
  void lease_doesNotHoldKeysWrittenAnewWithoutIt() throws Exception {
    long lease = store.grantLease(LEASE);
    ChangeFeed feed = feed(store.revision());
    applied(store.write(new Write.Put(key("ends"), bytes("x"), Write.ABSENT, lease)));
    long revision =
        applied(store.write(new Write.Put(key("stays"), bytes("x"), Write.ABSENT, lease)));
    put("stays", "y", revision);

    Change last = take(feed, 4).getLast();

    assertThat(last.key()).isEqualTo(key("ends"));
    assertThat(value("stays", RevisionedStore.NEWEST)).isEqualTo(bytes("y"));
  }

  @Test
  void write_withAnUnknownLease_isRefused() {
    assertThatThrownBy(
            () -> store.write(new Write.Put(key("a"), bytes("x"), Write.ABSENT, 4711_4711L)))
        .isInstanceOf(StorageException.Unavailable.class);
    assertThat(get("a")).isNull();
  }

  // ---- closing

  @Test
  void close_mayRunTwice_andEndsFeedsAndCalls() {
    ChangeFeed feed = feed(store.revision());

    store.close();
    store.close();

    assertThatThrownBy(() -> drainTo(feed)).isInstanceOf(StorageException.Closed.class);
    assertThatThrownBy(() -> store.get(key("a"), RevisionedStore.NEWEST))
        .isInstanceOf(StorageException.Closed.class);
    assertThatThrownBy(() -> create("a", "1")).isInstanceOf(StorageException.Closed.class);
    assertThatThrownBy(store::revision).isInstanceOf(StorageException.Closed.class);
    assertThatThrownBy(() -> drainTo(store.feed(everything(), 1)))
        .isInstanceOf(StorageException.Closed.class);
  }
}
