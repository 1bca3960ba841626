package dev.keelson.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class GracefulShutdownTest {

  private static final Duration LONG = Duration.ofMinutes(1);

  private final GracefulShutdown drain = new GracefulShutdown();
  private final AtomicInteger closed = new AtomicInteger();

  @Test
  void open_letsRequestsInAndIsReady() {
    assertThat(drain.enter()).isTrue();
    assertThat(drain.failure()).isEmpty();
  }

  @Test
  void idle_endsAtOnce() {
    assertThat(drain.run(Duration.ZERO, () -> {}, LONG)).isZero();

    assertThat(drain.enter()).isFalse();
    assertThat(drain.failure()).contains("process is shutting down");
  }

  @Test
  void leaving_stillServes_butIsNotReady() {
    FutureTask<Integer> run = start(LONG, Duration.ZERO);
    while (drain.failure().isEmpty()) {
      Thread.onSpinWait();
    }

    assertThat(drain.enter()).isTrue();
    assertThat(run.isDone()).isFalse();
    assertThat(closed).hasValue(0);
    assertThat(run.cancel(/* mayInterruptIfRunning= */ true)).isTrue();
  }

  @Test
  void running_isWaitedFor() throws InterruptedException, ExecutionException {
    drain.enter();
    FutureTask<Integer> run = start(Duration.ZERO, LONG);
    while (drain.enter()) {
      drain.leave();
    }

    assertThat(run.isDone()).isFalse();
    drain.leave();
    assertThat(run.get()).isZero();
    assertThat(closed).hasValue(1);
  }

  @Test
  void running_isNotWaitedForLongerThanTheGrace() {
    drain.enter();

    assertThat(drain.run(Duration.ZERO, () -> {}, Duration.ofMillis(20))).isEqualTo(1);
  }

  /** Shuts down on a thread of its own: one of the common pool would be missed by others. */
  private FutureTask<Integer> start(Duration delay, Duration grace) {
    FutureTask<Integer> run =
        new FutureTask<>(() -> drain.run(delay, closed::incrementAndGet, grace));
    Thread unused = Thread.ofVirtual().start(run);
    return run;
  }
}
