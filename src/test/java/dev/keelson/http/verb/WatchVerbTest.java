package dev.keelson.http.verb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.Query;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class WatchVerbTest {

  private static Duration timeout(String query, Duration least) {
    return WatchVerb.timeout(Query.parse(query), least, new Random(1));
  }

  @Test
  void watchWithoutATimeout_lastsTheMinimum_atMostTwice() {
    assertThat(timeout("watch=1", Duration.ofMinutes(30)))
        .isBetween(Duration.ofMinutes(30), Duration.ofMinutes(60));
    assertThat(timeout("watch=1&timeoutSeconds=5", Duration.ofMinutes(30)))
        .isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void watchWithoutATimeout_lastsLong_ifThereIsNoMinimum() {
    assertThat(timeout("watch=1", Duration.ZERO)).isGreaterThan(Duration.ofDays(10_000));
    assertThat(timeout("watch=1&timeoutSeconds=5", Duration.ZERO)).isEqualTo(Duration.ofSeconds(5));
  }
}
