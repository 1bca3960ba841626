package dev.keelson.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExpiringCacheTest {

  private final ManualClock clock = new ManualClock();
  private final ExpiringCache<String, Integer> cache = new ExpiringCache<>(100, clock);

  @Test
  void entry_livesForItsTime_andNoLonger() {
    cache.put("short", 1, Duration.ofSeconds(10));
    cache.put("long", 2, Duration.ofDays(400_000));

    clock.advance(Duration.ofSeconds(10).minusNanos(1));
    assertThat(cache.get("short")).contains(1);

    clock.advance(Duration.ofNanos(1));
    assertThat(cache.get("short")).isEmpty();
    assertThat(cache.get("long")).contains(2);
  }

  @Test
  void entry_thatIsReplaced_livesForTheNewTime() {
    cache.put("a", 1, Duration.ofSeconds(10));
    clock.advance(Duration.ofSeconds(5));
    cache.put("a", 2, Duration.ofSeconds(10));
    clock.advance(Duration.ofSeconds(9));

    assertThat(cache.get("a")).contains(2);
  }

  @Test
  void readingAnEntry_doesNotProlongIt() {
    cache.put("a", 1, Duration.ofSeconds(10));
    clock.advance(Duration.ofSeconds(9));
    assertThat(cache.get("a")).contains(1);
    clock.advance(Duration.ofSeconds(1));

    assertThat(cache.get("a")).isEmpty();
  }

  @Test
  void entryWithoutTime_isNotCached() {
    cache.put("zero", 1, Duration.ZERO);
    cache.put("past", 1, Duration.ofSeconds(-1));

    assertThat(cache.get("zero")).isEmpty();
    assertThat(cache.get("past")).isEmpty();
  }

  @Test
  void bound_isKept_andWhatIsReadStays() {
    cache.put("favourite", 0, Duration.ofDays(1));
    for (int i = 0; i < 10_000; i++) {
      cache.put("k" + i, i, Duration.ofDays(1));
      assertThat(cache.get("favourite")).as("after %d", i).contains(0);
    }

    assertThat(cache.size()).isLessThanOrEqualTo(100);
  }
}
