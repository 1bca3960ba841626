package dev.keelson.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LazyTest {

  private final AtomicInteger made = new AtomicInteger();

  @Test
  void value_isMadeWhenItIsFirstNeeded() {
    Lazy<Integer> lazy = new Lazy<>(made::incrementAndGet);

    assertThat(lazy.known()).isNull();
    assertThat(lazy.get()).isEqualTo(1);
    assertThat(lazy.get()).isEqualTo(1);
    assertThat(lazy.known()).isEqualTo(1);
  }

  @Test
  void failure_isTriedAgain() {
    Lazy<Integer> lazy =
        new Lazy<>(
            () -> {
              if (made.incrementAndGet() == 1) {
                throw new IllegalStateException("not yet");
              }
              return 7;
            });

    assertThatThrownBy(lazy::get).hasMessage("not yet");
    assertThat(lazy.get()).isEqualTo(7);
  }

  @Test
  void threadsAtTheSameTime_getOneValue() throws InterruptedException {
    CountDownLatch all = new CountDownLatch(8);
    Lazy<Object> lazy =
        new Lazy<>(
            () -> {
              made.incrementAndGet();
              return new Object();
            });
    Set<Object> seen = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    all.countDown();
                    try {
                      all.await();
                    } catch (InterruptedException e) {
                      throw new IllegalStateException(e);
                    }
                    seen.add(lazy.get());
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(seen).hasSize(1);
    assertThat(made).hasValue(1);
  }
}
