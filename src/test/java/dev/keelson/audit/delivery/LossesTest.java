package dev.keelson.audit.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.audit.CountedMetrics;
import dev.keelson.audit.delivery.BatchOptions.Throttle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LossesTest {

  private final AtomicLong now = new AtomicLong();
  private final CountedMetrics metrics = new CountedMetrics();

  @Test
  void manyLosses_areOneLineInTenSeconds() {
    Losses losses = new Losses(metrics, now::get);

    assertThat(losses.report("log", 1, "full")).isEqualTo(1);
    for (int i = 0; i < 1000; i++) {
      assertThat(losses.report("log", 2, "full")).isZero();
    }
    now.addAndGet(TimeUnit.SECONDS.toNanos(10));

    assertThat(losses.report("log", 1, "full")).isEqualTo(2001);
    assertThat(metrics.errors).containsEntry("log", 2002);
  }

  @Test
  void bucket_allowsTheBurstAndThenTheRate() {
    TokenBucket bucket = new TokenBucket(new Throttle(10, 2), 0);

    assertThat(bucket.take(0)).isZero();
    assertThat(bucket.take(0)).isZero();
    assertThat(bucket.take(0)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
    assertThat(bucket.take(TimeUnit.MILLISECONDS.toNanos(100)))
        .isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
    assertThat(bucket.take(TimeUnit.SECONDS.toNanos(100))).isZero();
    assertThat(bucket.take(TimeUnit.SECONDS.toNanos(100))).isZero();
    assertThat(bucket.take(TimeUnit.SECONDS.toNanos(100))).isPositive();
  }
}
