package dev.keelson.audit.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.audit.Acceptance;
import dev.keelson.audit.CountedMetrics;
import dev.keelson.audit.Events;
import dev.keelson.audit.delivery.BatchOptions.Throttle;
import dev.keelson.audit.event.Event;
import dev.keelson.testing.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BatchSinkTest {

  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final Duration NEVER = Duration.ofDays(1);

  private final ScriptedWriter writer = new ScriptedWriter();
  private final CountedMetrics metrics = new CountedMetrics();

  @Test
  void fullBatch_isWrittenAtOnce() {
    BatchSink sink = started(options(100, 3, NEVER, null), Long.MAX_VALUE, 1);

    accept(sink, "a", "b", "c", "d");

    Eventually.assertEventually(
        () -> assertThat(writer.batches()).containsExactly(List.of("a", "b", "c")));
    sink.stop(GRACE);
    assertThat(writer.batches()).containsExactly(List.of("a", "b", "c"), List.of("d"));
    assertThat(writer.closed()).isTrue();
  }

  @Test
  void batchThatIsNotFull_isWrittenWhenItsWaitIsOver() {
    BatchSink sink = started(options(100, 50, Duration.ofMillis(20), null), Long.MAX_VALUE, 1);

    accept(sink, "a", "b");

    Eventually.assertEventually(() -> assertThat(writer.written()).containsExactly("a", "b"));
    sink.stop(GRACE);
  }

  @Test
  void fullBuffer_dropsAndCounts_andNoRequestWaits() throws Exception {
    Semaphore gate = writer.hold();
    BatchSink sink = started(options(2, 1, Duration.ZERO, null), Long.MAX_VALUE, 1);
    accept(sink, "a");
    writer.entered.await();

    accept(sink, "b", "c", "d", "e");

    assertThat(metrics.errors).containsEntry("buffered", 2);
    gate.release(3);
    sink.stop(GRACE);
    assertThat(writer.written()).containsExactly("a", "b", "c");
  }

  @Test
  void eventsBeyondTheMemory_areDropped_untilOthersAreDelivered() throws Exception {
    Event large = Events.withResponse("large", 1_000_000);
    Semaphore gate = writer.hold();
    BatchSink sink =
        started(
            options(100, 1, Duration.ZERO, null),
            new BatchSink.Limits(Long.MAX_VALUE, 2 * large.weight(), 1));
    sink.accept(large);
    writer.entered.await();
    sink.accept(large);

    sink.accept(Events.named("too-much"));

    assertThat(metrics.errors).containsEntry("buffered", 1);
    gate.release(100);
    Eventually.assertEventually(
        () -> {
          sink.accept(Events.named("later"));
          assertThat(writer.written()).contains("later");
        });
    sink.stop(GRACE);
    assertThat(writer.written()).contains("large").doesNotContain("too-much");
  }

  @Test
  void failedBatch_isCountedWithAllItsEvents() {
    writer.fail("down");
    BatchSink sink = started(options(10, 4, NEVER, null), Long.MAX_VALUE, 1);

    accept(sink, "a", "b", "c", "d");

    Eventually.assertEventually(() -> assertThat(metrics.errors).containsEntry("scripted", 4));
    sink.stop(GRACE);
  }

  @Test
  void largeBatch_isSplit() {
    long two = 2L * Events.named("a").size();
    BatchSink sink = started(options(10, 5, NEVER, null), two, 1);

    accept(sink, "a", "b", "c", "d", "e");
    sink.stop(GRACE);

    assertThat(writer.batches())
        .containsExactly(List.of("a", "b"), List.of("c", "d"), List.of("e"));
  }

  @Test
  void slowWriter_hasNoMoreDeliveriesThanAllowed() throws Exception {
    Semaphore gate = writer.hold();
    BatchSink sink = started(options(10, 1, Duration.ZERO, null), Long.MAX_VALUE, 3);
    accept(sink, "a", "b", "c", "d", "e", "f", "g");

    Eventually.assertEventually(() -> assertThat(gate.getQueueLength()).isEqualTo(3));
    // one more has been collected and waits for a delivery
    Eventually.assertEventually(() -> assertThat(sink.buffered()).isEqualTo(3));

    gate.release(7);
    sink.stop(GRACE);
    assertThat(writer.written()).containsExactlyInAnyOrder("a", "b", "c", "d", "e", "f", "g");
  }

  @Test
  void stop_doesNotOutlastItsGrace_andCountsTheRest() throws Exception {
    writer.hold();
    BatchSink sink = started(options(10, 1, Duration.ZERO, null), Long.MAX_VALUE, 2);
    accept(sink, "a", "b", "c", "d", "e");
    writer.entered.await();

    sink.stop(Duration.ofMillis(50));

    Eventually.assertEventually(
        () ->
            assertThat(metrics.errors.values().stream().mapToInt(Integer::intValue).sum())
                .isEqualTo(5));
    assertThat(sink.accept(Events.named("late"))).isEqualTo(Acceptance.ACCEPTED);
    assertThat(writer.written()).isEmpty();
  }

  @Test
  void stop_waitsForWhatIsBeingDelivered() throws Exception {
    Semaphore gate = writer.hold();
    BatchSink sink = started(options(10, 2, NEVER, null), Long.MAX_VALUE, 4);
    accept(sink, "a", "b");
    writer.entered.await();
    CountDownLatch stopped = new CountDownLatch(1);
    Thread stopping =
        Thread.startVirtualThread(
            () -> {
              sink.stop(GRACE);
              stopped.countDown();
            });
    Eventually.assertEventually(
        () -> assertThat(stopping.getState()).isIn(Thread.State.TIMED_WAITING));

    assertThat(stopped.getCount()).isEqualTo(1);
    gate.release(1);

    stopping.join();
    assertThat(writer.written()).containsExactly("a", "b");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void everyBatch_isDeliveredWhole_howeverManyAtATime(int deliveries) {
    BatchSink sink = started(options(100, 10, NEVER, null), Long.MAX_VALUE, deliveries);

    for (int i = 0; i < 50; i++) {
      accept(sink, "e" + i);
    }

    Eventually.assertEventually(() -> assertThat(writer.batches()).hasSize(5));
    assertThat(writer.batches()).allSatisfy(batch -> assertThat(batch).hasSize(10));
    sink.stop(GRACE);
  }

  @Test
  void batchesOfOne_areNeverWaitedFor() {
    BatchSink sink = started(options(100, 1, NEVER, null), Long.MAX_VALUE, 1);

    accept(sink, "a", "b", "c");

    Eventually.assertEventually(
        () ->
            assertThat(writer.batches()).containsExactly(List.of("a"), List.of("b"), List.of("c")));
    sink.stop(GRACE);
    assertThat(writer.batches()).hasSize(3);
  }

  @Test
  void eventLargerThanABatch_isABatchOfItsOwn() {
    BatchSink sink = started(options(10, 2, NEVER, null), 1, 1);

    accept(sink, "a", "b");
    sink.stop(GRACE);

    assertThat(writer.batches()).containsExactly(List.of("a"), List.of("b"));
  }

  @Test
  void throttle_isNotWaitedForWhenStopping() {
    BatchSink sink =
        started(options(10, 1, Duration.ZERO, new Throttle(0.001, 1)), Long.MAX_VALUE, 1);
    accept(sink, "a", "b", "c");
    Eventually.assertEventually(() -> assertThat(writer.written()).containsExactly("a"));

    sink.stop(GRACE);

    assertThat(writer.written()).containsExactly("a", "b", "c");
  }

  private static void accept(BatchSink sink, String... names) {
    for (String name : names) {
      assertThat(sink.accept(Events.named(name))).isEqualTo(Acceptance.ACCEPTED);
    }
  }

  private static BatchOptions options(
      int buffer, int batch, Duration wait, @Nullable Throttle throttle) {
    return new BatchOptions(buffer, batch, wait, throttle);
  }

  private BatchSink started(BatchOptions options, long maxBytes, int deliveries) {
    return started(options, new BatchSink.Limits(maxBytes, Long.MAX_VALUE, deliveries));
  }

  private BatchSink started(BatchOptions options, BatchSink.Limits limits) {
    BatchSink sink = new BatchSink(writer, options, limits, metrics);
    sink.start();
    return sink;
  }
}
