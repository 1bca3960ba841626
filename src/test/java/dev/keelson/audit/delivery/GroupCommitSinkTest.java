package dev.keelson.audit.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.audit.Acceptance;
import dev.keelson.audit.AuditMode;
import dev.keelson.audit.CountedMetrics;
import dev.keelson.audit.Events;
import dev.keelson.testing.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class GroupCommitSinkTest {

  private static final Duration GRACE = Duration.ofSeconds(30);

  private final ScriptedWriter writer = new ScriptedWriter();
  private final CountedMetrics metrics = new CountedMetrics();

  @Test
  void event_isWrittenWhenItIsAccepted() {
    GroupCommitSink sink = started(AuditMode.BLOCKING);

    assertThat(sink.accept(Events.named("a"))).isEqualTo(Acceptance.ACCEPTED);
    assertThat(writer.written()).containsExactly("a");

    sink.stop(GRACE);
    assertThat(writer.closed()).isTrue();
  }

  @Test
  void eventsThatWait_areWrittenTogether() throws Exception {
    Semaphore gate = writer.hold();
    GroupCommitSink sink = started(AuditMode.BLOCKING_STRICT);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Acceptance>> waiting = new ArrayList<>();
      waiting.add(threads.submit(() -> sink.accept(Events.named("first"))));
      writer.entered.await();
      for (int i = 0; i < 100; i++) {
        String name = "e" + i;
        Callable<Acceptance> accept = () -> sink.accept(Events.named(name));
        waiting.add(threads.submit(accept));
      }
      Eventually.assertEventually(() -> assertThat(sink.waiting()).isEqualTo(100));
      assertThat(waiting).noneMatch(Future::isDone);

      gate.release(2);

      for (Future<Acceptance> each : waiting) {
        assertThat(each.get()).isEqualTo(Acceptance.ACCEPTED);
      }
    }
    assertThat(writer.batches()).hasSize(2);
    assertThat(writer.written()).hasSize(101).doesNotHaveDuplicates();
    sink.stop(GRACE);
  }

  @Test
  void failure_refusesInStrictModeOnly_andIsCounted() {
    writer.fail("disk full");
    GroupCommitSink blocking = started(AuditMode.BLOCKING);
    GroupCommitSink strict = started(AuditMode.BLOCKING_STRICT);

    assertThat(blocking.accept(Events.named("a"))).isEqualTo(Acceptance.ACCEPTED);
    assertThat(strict.accept(Events.named("b"))).isEqualTo(Acceptance.REFUSED);
    assertThat(metrics.errors).containsEntry("scripted", 2);

    writer.fail(null);
    assertThat(strict.accept(Events.named("c"))).isEqualTo(Acceptance.ACCEPTED);
    assertThat(writer.written()).containsExactly("c");
    blocking.stop(GRACE);
    strict.stop(GRACE);
  }

  @Test
  @Timeout(60)
  void writerOutOfMemory_isAFailure_andLaterEventsAreWritten() {
    GroupCommitSink sink = started(AuditMode.BLOCKING_STRICT);
    writer.exhaust(true);
    assertThat(sink.accept(Events.named("a"))).isEqualTo(Acceptance.REFUSED);

    writer.exhaust(false);
    assertThat(sink.accept(Events.named("b"))).isEqualTo(Acceptance.ACCEPTED);

    assertThat(writer.written()).containsExactly("b");
    assertThat(metrics.errors).containsEntry("scripted", 1);
    sink.stop(GRACE);
  }

  @Test
  void interruptedRequest_writesItsEventAndStaysInterrupted() {
    GroupCommitSink sink = started(AuditMode.BLOCKING);

    Thread.currentThread().interrupt();
    Acceptance acceptance = sink.accept(Events.named("late"));

    assertThat(Thread.interrupted()).isTrue();
    assertThat(acceptance).isEqualTo(Acceptance.ACCEPTED);
    assertThat(writer.written()).containsExactly("late");
    sink.stop(GRACE);
  }

  @Test
  void stop_writesWhatWaits_andRefusesWhatComesLater() throws Exception {
    Semaphore gate = writer.hold();
    GroupCommitSink sink = started(AuditMode.BLOCKING_STRICT);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Acceptance> first = threads.submit(() -> sink.accept(Events.named("1")));
      writer.entered.await();
      Future<Acceptance> second = threads.submit(() -> sink.accept(Events.named("2")));
      Eventually.assertEventually(() -> assertThat(sink.waiting()).isEqualTo(1));
      gate.release(2);
      sink.stop(GRACE);
      sink.stop(GRACE);

      assertThat(first.get()).isEqualTo(Acceptance.ACCEPTED);
      assertThat(second.get()).isEqualTo(Acceptance.ACCEPTED);
    }
    assertThat(sink.accept(Events.named("3"))).isEqualTo(Acceptance.REFUSED);
    assertThat(writer.written()).containsExactly("1", "2");
  }

  private GroupCommitSink started(AuditMode mode) {
    GroupCommitSink sink = new GroupCommitSink(writer, mode, metrics);
    sink.start();
    return sink;
  }
}
