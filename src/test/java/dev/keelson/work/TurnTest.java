package dev.keelson.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Long computations of requests let others run and end when nobody waits for them. */
@Timeout(60)
class TurnTest {

  private static boolean passUntil(AtomicBoolean end) {
    while (!end.get()) {
      Turn.pass();
    }
    return true;
  }

  @Test
  void computationsOnAllCarriers_letOthersRun() throws InterruptedException {
    AtomicBoolean end = new AtomicBoolean();
    int busy = 2 * Runtime.getRuntime().availableProcessors();
    CountDownLatch running = new CountDownLatch(busy);
    for (int i = 0; i < busy; i++) {
      Thread unused =
          Thread.ofVirtual()
              .start(
                  () -> {
                    boolean done =
                        Turn.run(
                            () -> false,
                            () -> {
                              running.countDown();
                              return passUntil(end);
                            });
                    assertThat(done).isTrue();
                  });
    }
    try {
      // the ones beyond the carriers only begin when the first ones let them
      assertThat(running.await(20, TimeUnit.SECONDS)).isTrue();
      // threads that others than virtual ones start wait in another queue than those that go on
      for (int i = 0; i < 20; i++) {
        CountDownLatch other = new CountDownLatch(1);
        Thread unused = Thread.ofVirtual().start(other::countDown);
        assertThat(other.await(20, TimeUnit.SECONDS)).isTrue();
      }
    } finally {
      end.set(true);
    }
  }

  @Test
  void abandonedWork_ends() {
    AtomicBoolean never = new AtomicBoolean();

    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> Turn.run(() -> true, () -> passUntil(never)))
        .satisfies(e -> assertThat(e.reason()).isEqualTo(Reason.TIMEOUT));
  }

  @Test
  void stepThatOthersWouldNotice_isNotBegun() {
    assertThatExceptionOfType(ApiException.class)
        .isThrownBy(() -> Turn.perform(() -> true, Turn::check));
    Turn.perform(() -> false, Turn::check);
    Turn.check();
  }

  @Test
  void partOnAnotherThread_endsWithTheRequest() throws InterruptedException {
    AtomicBoolean never = new AtomicBoolean();
    AtomicBoolean ended = new AtomicBoolean();
    Runnable work =
        () -> {
          try {
            boolean unused = passUntil(never);
          } catch (ApiException e) {
            ended.set(e.reason() == Reason.TIMEOUT);
          }
        };

    Thread other = Turn.run(() -> true, () -> Thread.ofVirtual().start(Turn.part(work)));
    other.join();

    assertThat(ended).isTrue();
    assertThat(Turn.part(work)).isSameAs(work);
  }

  @Test
  void largeElements_countForMany() {
    AtomicBoolean looked = new AtomicBoolean();

    Turn.perform(
        () -> {
          looked.set(true);
          return false;
        },
        () -> {
          long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
          while (System.nanoTime() < end) {
            Thread.onSpinWait();
          }
          Turn.pass(1000);
        });

    assertThat(looked).isTrue();
  }

  @Test
  void sharedWork_isCompleted() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(20);
    AtomicBoolean completed = new AtomicBoolean();

    boolean returned =
        Turn.run(
            () -> true,
            () -> {
              Turn.whole(
                  () -> {
                    while (System.nanoTime() < end) {
                      Turn.pass();
                    }
                    completed.set(true);
                  });
              return true;
            });

    assertThat(returned).isTrue();
    assertThat(completed).isTrue();
  }

  @Test
  void workOutsideOfARequest_passes() {
    for (int i = 0; i < 10_000; i++) {
      Turn.pass();
    }

    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }
}
