package dev.keelson.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RetryBackoffTest {

  private static final RetryBackoff SHORT = new RetryBackoff(Duration.ofMillis(2), 5);

  private final AtomicInteger made = new AtomicInteger();

  private String failing(int times) throws IOException {
    if (made.incrementAndGet() <= times) {
      throw new IOException("failure " + made);
    }
    return "answer";
  }

  @Test
  void failureThatPasses_isTriedAgain_withLongerPauses() throws IOException {
    long begin = System.nanoTime();

    assertThat(SHORT.run(_ -> true, () -> failing(3))).isEqualTo("answer");

    assertThat(made).hasValue(4);
    // 2, 3 and 4.5 ms
    assertThat(Duration.ofNanos(System.nanoTime() - begin))
        .isGreaterThanOrEqualTo(Duration.ofNanos(9_500_000));
  }

  @Test
  void lastFailure_isThrown() {
    assertThatThrownBy(() -> SHORT.run(_ -> true, () -> failing(9)))
        .isInstanceOf(IOException.class)
        .hasMessage("failure 5");
  }

  @Test
  void failureThatStays_isNotTriedAgain() {
    assertThatThrownBy(() -> SHORT.run(_ -> false, () -> failing(9)))
        .isInstanceOf(IOException.class)
        .hasMessage("failure 1");
  }

  @Test
  void interruptedThread_doesNotTryAgain_andStaysInterrupted() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> SHORT.run(_ -> true, () -> failing(9))).hasMessage("failure 1");

    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void pausesOfServers_areThoseOfKubernetes() {
    assertThat(RetryBackoff.DEFAULT).isEqualTo(new RetryBackoff(Duration.ofMillis(500), 5));
  }
}
