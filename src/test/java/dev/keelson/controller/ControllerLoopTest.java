package dev.keelson.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.controller.ControllerLoop.Outcome;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ControllerLoopTest {

  private final BlockingQueue<String> turns = new LinkedBlockingQueue<>();

  @Test
  void interval_runsTheStepAgain() throws Exception {
    try (ControllerLoop loop = ControllerLoop.every("test", Duration.ofMillis(1), this::turn)) {
      loop.start();

      assertThat(taken()).isEqualTo("test");
      assertThat(taken()).isEqualTo("test");
      assertThat(taken()).isEqualTo("test");
    }
  }

  @Test
  void startAfterInterval_waitsForASignal() throws Exception {
    try (ControllerLoop loop = ControllerLoop.every("test", ControllerLoop.NO_RESYNC, this::turn)) {
      loop.startAfterInterval();
      assertThat(turns.poll(50, TimeUnit.MILLISECONDS)).isNull();

      loop.signal();

      assertThat(taken()).isEqualTo("test");
      assertThat(turns.poll(50, TimeUnit.MILLISECONDS)).isNull();
    }
  }

  @Test
  void signalDuringAStep_runsOneMore() throws Exception {
    CountDownLatch inStep = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    try (ControllerLoop loop =
        ControllerLoop.every(
            "test",
            ControllerLoop.NO_RESYNC,
            () -> {
              inStep.countDown();
              go.await();
              turn();
            })) {
      loop.start();
      inStep.await();
      loop.signal();
      loop.signal();
      go.countDown();

      assertThat(taken()).isEqualTo("test");
      assertThat(taken()).isEqualTo("test");
      assertThat(turns.poll(50, TimeUnit.MILLISECONDS)).isNull();
    }
  }

  @Test
  void startTwice_runsOneThread() throws Exception {
    try (ControllerLoop loop = ControllerLoop.every("test", ControllerLoop.NO_RESYNC, this::turn)) {
      loop.start();
      loop.start();
      loop.startAfterInterval();

      assertThat(loop.running()).isEqualTo(1);
      assertThat(taken()).isEqualTo("test");
      assertThat(turns.poll(50, TimeUnit.MILLISECONDS)).isNull();
    }
  }

  @Test
  void failedStep_isRetried() throws Exception {
    AtomicInteger failures = new AtomicInteger(2);
    try (ControllerLoop loop =
        ControllerLoop.every(
            "test",
            Duration.ofMillis(1),
            () -> {
              if (failures.getAndDecrement() > 0) {
                throw new IllegalStateException("a defect");
              }
              turn();
            })) {
      loop.start();

      assertThat(taken()).isEqualTo("test");
    }
  }

  @Test
  void close_interruptsTheStepAndMayRunTwice() throws Exception {
    CountDownLatch inStep = new CountDownLatch(1);
    ControllerLoop loop =
        ControllerLoop.every(
            "test",
            Duration.ofMillis(1),
            () -> {
              inStep.countDown();
              new CountDownLatch(1).await();
            });
    loop.start();
    inStep.await();

    loop.close(Duration.ofSeconds(60));
    loop.close();
    loop.start();

    assertThat(loop.running()).isZero();
  }

  @Test
  void close_waitsNoLongerThanItsBound() throws Exception {
    CountDownLatch inStep = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    ControllerLoop loop =
        ControllerLoop.every(
            "test",
            Duration.ofMillis(1),
            () -> {
              inStep.countDown();
              awaitUninterruptibly(end);
            });
    loop.start();
    inStep.await();

    loop.close(Duration.ofMillis(10));

    assertThat(loop.running()).isEqualTo(1);
    end.countDown();
    loop.close(Duration.ofSeconds(60));
    assertThat(loop.running()).isZero();
  }

  @Test
  void workers_takeEachItemAndRetryWhatFails() throws Exception {
    WorkQueue<String> queue = new WorkQueue<>("test", Duration.ofMillis(1), Duration.ofMillis(2));
    AtomicInteger failures = new AtomicInteger(2);
    try (ControllerLoop loop =
        ControllerLoop.workers(
            "worker",
            3,
            queue,
            item -> {
              if (item.equals("b") && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("a defect");
              }
              turns.add(item);
              return Outcome.DONE;
            })) {
      queue.add("a");
      loop.start();
      queue.add("b");
      queue.awaitDone("a");
      queue.awaitDone("b");

      assertThat(loop.running()).isEqualTo(3);
      assertThat(turns).containsExactlyInAnyOrder("a", "b");
      assertThat(failures.get()).isNegative();
    }
  }

  private void turn() {
    turns.add(Thread.currentThread().getName());
  }

  private String taken() throws InterruptedException {
    return String.valueOf(turns.poll(60, TimeUnit.SECONDS));
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean interrupted = false;
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
