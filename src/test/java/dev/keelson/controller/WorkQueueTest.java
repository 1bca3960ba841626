package dev.keelson.controller;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class WorkQueueTest {

  private final WorkQueue<String> queue =
      new WorkQueue<>("test", Duration.ofMillis(1), Duration.ofMillis(20));

  @Test
  void take_givesEachItemOnce_inOrder() throws Exception {
    queue.add("a");
    queue.add("b");
    queue.add("a");

    assertThat(queue.take()).isEqualTo("a");
    assertThat(queue.take()).isEqualTo("b");
    queue.add("c");
    assertThat(queue.take()).isEqualTo("c");
  }

  @Test
  void itemAddedWhileUnderWay_comesAgainAfterwards() throws Exception {
    queue.add("a");
    assertThat(queue.take()).isEqualTo("a");
    queue.add("a");
    queue.add("b");

    assertThat(queue.take()).isEqualTo("b");
    queue.done("a");
    assertThat(queue.take()).isEqualTo("a");
  }

  @Test
  void failedItem_comesAgainAfterAPause() throws Exception {
    queue.add("a");
    for (int i = 0; i < 8; i++) {
      assertThat(queue.take()).isEqualTo("a");
      queue.failed("a");
    }

    assertThat(queue.take()).isEqualTo("a");
    queue.done("a");
    queue.add("b");
    assertThat(queue.take()).isEqualTo("b");
  }

  @Test
  void take_waitsForAnItem() throws Exception {
    Thread adding = Thread.ofVirtual().start(() -> queue.add("a"));

    assertThat(queue.take()).isEqualTo("a");
    adding.join();
  }

  @Test
  void itemForAfterAnEternity_doesNotComeInBetween() throws Exception {
    queue.addAfter("a", Duration.ofSeconds(Long.MAX_VALUE));
    queue.add("b");

    assertThat(queue.take()).isEqualTo("b");
    assertThat(queue.depth()).isZero();
  }
}
