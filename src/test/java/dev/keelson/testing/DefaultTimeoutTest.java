package dev.keelson.testing;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that every test has a default timeout: this class has no {@code @Timeout}. */
class DefaultTimeoutTest {

  /** JUnit runs a method in such a thread only if the method has a timeout. */
  private static final String TIMED_THREAD = "junit-timeout-thread-";

  private String lifecycleThread = "";

  @BeforeEach
  void rememberThread() {
    lifecycleThread = Thread.currentThread().getName();
  }

  @Test
  void testMethod_hasATimeout() {
    assertThat(Thread.currentThread().getName()).startsWith(TIMED_THREAD);
  }

  @Test
  void lifecycleMethod_hasATimeout() {
    assertThat(lifecycleThread).startsWith(TIMED_THREAD);
  }
}
