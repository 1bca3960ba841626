package dev.keelson.flow.level;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RetryAfterTest {

  private final RetryAfter retry = new RetryAfter();

  private int rejections(int number, long second) {
    int last = 0;
    for (int i = 0; i < number; i++) {
      last = retry.reject(second);
    }
    return last;
  }

  @Test
  void manyRejections_doubleTheTimeUpTo32Seconds_fewLowerIt() {
    long second = 1000;
    assertThat(rejections(100, second)).isEqualTo(1);
    assertThat(rejections(100, ++second)).isEqualTo(2);
    assertThat(rejections(100, ++second)).isEqualTo(2);
    assertThat(rejections(100, ++second)).isEqualTo(4);
    for (int i = 0; i < 60; i++) {
      rejections(200, ++second);
    }
    assertThat(rejections(1, ++second)).isEqualTo(32);
    second += 100;
    assertThat(rejections(1, second)).isEqualTo(31);
    assertThat(rejections(1, ++second)).isEqualTo(30);
  }

  @Test
  void fewRejections_leaveItAtASecond() {
    for (int second = 0; second < 100; second++) {
      assertThat(rejections(2, second)).isEqualTo(1);
    }
  }
}
