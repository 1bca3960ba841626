package dev.keelson.audit.trail;

import static dev.keelson.audit.trail.TrailEvents.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.audit.Acceptance;
import dev.keelson.audit.AuditMode;
import dev.keelson.audit.CountedMetrics;
import dev.keelson.audit.EventSink;
import dev.keelson.audit.delivery.GroupCommitSink;
import dev.keelson.audit.trail.FaultyTrail.Fault;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class TrailSinkTest {

  private static final Duration GRACE = Duration.ofSeconds(10);
  private static final Instant NOW = TrailEvents.NOON;

  @TempDir Path directory;

  private final FaultyTrail store = new FaultyTrail();
  private final CountedMetrics metrics = new CountedMetrics();

  @Test
  void accept_whileTheStoreIsDown_neitherBlocksNorLoses() throws Exception {
    store.failing(Fault.UNAVAILABLE);
    EventSink sink = blocking();
    for (int i = 0; i < 50; i++) {
      assertThat(sink.accept(get("e" + i).event())).isEqualTo(Acceptance.ACCEPTED);
    }
    assertThat(store.auditIds()).isEmpty();

    store.failing(Fault.NONE);
    store.awaitEvents(50);

    assertThat(store.auditIds()).isEqualTo(names(0, 50));
    assertThat(metrics.errors).isEmpty();
    sink.stop(GRACE);
  }

  @Test
  void events_whoseAnswerIsLost_areStoredOnce() throws Exception {
    store.failing(Fault.ANSWER_LOST);
    EventSink sink = blocking();
    Acceptance unused = sink.accept(get("e0").event());
    store.awaitCalls(2);
    store.failing(Fault.NONE);
    Acceptance unusedToo = sink.accept(get("e1").event());
    store.awaitEvents(2);

    sink.stop(GRACE);
    assertThat(store.auditIds()).isEqualTo(names(0, 2));
  }

  @Test
  void start_afterAnEndWithTheStoreDown_bringsTheRest() throws Exception {
    store.failing(Fault.UNAVAILABLE);
    EventSink first = blocking();
    for (int i = 0; i < 5; i++) {
      Acceptance unused = first.accept(get("e" + i).event());
    }
    first.stop(Duration.ofMillis(1));
    assertThat(store.auditIds()).isEmpty();

    store.failing(Fault.NONE);
    EventSink second = blocking();
    Acceptance unused = second.accept(get("e5").event());
    store.awaitEvents(6);
    second.stop(GRACE);

    assertThat(store.auditIds()).isEqualTo(names(0, 6));
  }

  @Test
  void anEventThatTheStoreRejects_isCountedAndHoldsUpNoOther() throws Exception {
    store.rejecting("e3");
    store.failing(Fault.UNAVAILABLE);
    EventSink sink = blocking();
    for (int i = 0; i < 8; i++) {
      Acceptance unused = sink.accept(get("e" + i).event());
    }
    store.failing(Fault.NONE);
    store.awaitEvents(7);
    sink.stop(GRACE);

    assertThat(store.auditIds()).containsExactly("e0", "e1", "e2", "e4", "e5", "e6", "e7");
    assertThat(metrics.errors).containsEntry("trail", 1);
  }

  @Test
  void aFullSpool_countsWhatIsLost() throws Exception {
    store.failing(Fault.UNAVAILABLE);
    EventSink sink = sink(Spool.open(directory, 4000), AuditMode.BLOCKING);
    for (int i = 0; i < 20; i++) {
      assertThat(sink.accept(get("e" + i).event())).isEqualTo(Acceptance.ACCEPTED);
    }

    assertThat(metrics.errors.get("trail")).isBetween(1, 19);
    sink.stop(Duration.ofMillis(1));
  }

  @Test
  void accept_inModeBlockingStrict_refusesWhileTheStoreIsDown() {
    EventSink sink = sink(null, AuditMode.BLOCKING_STRICT);

    store.failing(Fault.UNAVAILABLE);
    assertThat(sink.accept(get("e0").event())).isEqualTo(Acceptance.REFUSED);
    store.failing(Fault.NONE);
    assertThat(sink.accept(get("e1").event())).isEqualTo(Acceptance.ACCEPTED);
    assertThat(store.auditIds()).containsExactly("e1");
    sink.stop(GRACE);
  }

  @Test
  void stop_withTheStoreUp_bringsEverything() throws Exception {
    EventSink sink = blocking();
    for (int i = 0; i < 100; i++) {
      Acceptance unused = sink.accept(get("e" + i).event());
    }
    sink.stop(GRACE);

    assertThat(store.auditIds()).isEqualTo(names(0, 100));
    sink.stop(GRACE);
  }

  @Test
  void retention_removesWhatIsTooOld() {
    new TrailRetention(store, Duration.ofDays(30), InstantSource.fixed(NOW)).sweep();

    assertThat(store.removedBefore()).contains(NOW.minus(Duration.ofDays(30)));
  }

  @Test
  void retention_ofAStoreThatIsDown_triesAgainLater() {
    TrailRetention retention =
        new TrailRetention(store, Duration.ofDays(30), InstantSource.fixed(NOW));
    store.failing(Fault.UNAVAILABLE);
    retention.sweep();
    store.failing(Fault.NONE);
    retention.sweep();

    assertThat(store.removedBefore()).isPresent();
  }

  private EventSink blocking() throws Exception {
    return sink(Spool.open(directory, 1 << 30), AuditMode.BLOCKING);
  }

  private EventSink sink(@Nullable Spool spool, AuditMode mode) {
    TrailWriter writer = new TrailWriter(spool == null ? store::append : spool::append);
    EventSink sink =
        new TrailSink(
            new GroupCommitSink(writer, mode, metrics),
            store,
            spool,
            new TrailRetention(store, Duration.ZERO, InstantSource.fixed(NOW)),
            metrics);
    sink.start();
    return sink;
  }

  private static List<String> names(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "e" + i).toList();
  }
}
