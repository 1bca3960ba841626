package dev.keelson.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LifecycleTest {

  private final List<String> calls = new ArrayList<>();
  private final StartProgress progress = new StartProgress();
  private final Lifecycle lifecycle = new Lifecycle(progress);

  @Test
  void parts_startInOrderAndStopInReverse() {
    lifecycle.add("a", () -> calls.add("+a"), () -> calls.add("-a"));
    lifecycle.add("b", () -> calls.add("-b"));
    lifecycle.add("c", () -> calls.add("+c"), () -> calls.add("-c"));

    lifecycle.start();
    lifecycle.stop();

    assertThat(calls).containsExactly("+a", "+c", "-c", "-b", "-a");
  }

  @Test
  void startAfterAFailure_goesOnWithThePartThatFailed() {
    AtomicInteger failures = new AtomicInteger(2);
    lifecycle.add("a", () -> calls.add("+a"), () -> {});
    lifecycle.add(
        "b",
        () -> {
          if (failures.getAndDecrement() > 0) {
            throw new IllegalStateException("the store is away");
          }
          calls.add("+b");
        },
        () -> {});
    lifecycle.add("c", () -> calls.add("+c"), () -> {});

    assertThatThrownBy(lifecycle::start).hasMessage("the store is away");
    assertThatThrownBy(lifecycle::start).hasMessage("the store is away");
    lifecycle.start();
    lifecycle.start();

    assertThat(calls).containsExactly("+a", "+b", "+c");
  }

  @Test
  void partThatFailsToStop_doesNotKeepTheOthersRunning() {
    lifecycle.add("a", () -> calls.add("-a"));
    lifecycle.add(
        "b",
        () -> {
          throw new IllegalStateException("cannot stop");
        });
    lifecycle.add("c", () -> calls.add("-c"));

    lifecycle.stop();

    assertThat(calls).containsExactly("-c", "-a");
  }

  @Test
  void startAfterStop_doesNothing() {
    lifecycle.add("a", () -> calls.add("+a"), () -> calls.add("-a"));

    lifecycle.stop();
    lifecycle.stop();
    lifecycle.start();

    assertThat(calls).containsExactly("-a", "-a");
  }

  @Test
  void partWhoseStartEndsAfterStop_isStoppedAgain() throws Exception {
    CountDownLatch inStart = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    lifecycle.add(
        "a",
        () -> {
          inStart.countDown();
          await(go);
          running.set(1);
        },
        () -> running.set(0));
    lifecycle.add("b", () -> calls.add("+b"), () -> {});
    Thread starter = Thread.ofVirtual().start(lifecycle::start);
    inStart.await();

    lifecycle.stop();
    go.countDown();
    starter.join();

    assertThat(running).hasValue(0);
    assertThat(calls).isEmpty();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
