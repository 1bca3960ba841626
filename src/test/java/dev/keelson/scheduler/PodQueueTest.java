package dev.keelson.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.testing.CustomTypes;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class PodQueueTest {

  private final AtomicLong nanos = new AtomicLong();
  private final PodQueue queue = new PodQueue(nanos::get);

  private static PodView pod(String name, int priority) {
    return PodView.of(
        new ApiObject(
            CustomTypes.tree(
                "{'metadata':{'name':'%s','namespace':'default','uid':'%s'},'spec':{'priority':%d}}"
                    .formatted(name, name, priority))));
  }

  private String next() throws InterruptedException {
    return queue.next().name().name();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void pods_comeByPriority_thenByArrival() throws Exception {
    queue.put(pod("first", 0));
    queue.put(pod("second", 0));
    queue.put(pod("urgent", 5));

    assertThat(next()).isEqualTo("urgent");
    assertThat(next()).isEqualTo("first");
    assertThat(next()).isEqualTo("second");
  }

  @Test
  void podThatDidNotFit_comesAgainAfterAChange_notBeforeItsBackOff() throws Exception {
    queue.put(pod("large", 9));
    assertThat(next()).isEqualTo("large");
    queue.failed(pod("large", 9).name());
    queue.retry();
    queue.put(pod("small", 0));
    assertThat(next()).isEqualTo("small");

    pass(Duration.ofSeconds(1));

    assertThat(next()).isEqualTo("large");
    queue.failed(pod("large", 9).name());
    queue.retry();
    pass(Duration.ofMillis(1900));
    queue.put(pod("small", 0));
    assertThat(next()).isEqualTo("small");
    pass(Duration.ofMillis(100));
    assertThat(next()).isEqualTo("large");
  }

  @Test
  void podThatDidNotFit_comesAgainAfterFiveMinutes_withoutAChange() throws Exception {
    queue.put(pod("large", 9));
    assertThat(next()).isEqualTo("large");
    queue.failed(pod("large", 9).name());
    pass(Duration.ofSeconds(299));
    queue.put(pod("small", 0));
    assertThat(next()).isEqualTo("small");

    pass(Duration.ofSeconds(1));

    assertThat(next()).isEqualTo("large");
  }

  @Test
  void changeDuringAnAttempt_bringsThePodAgainAfterItsBackOff() throws Exception {
    queue.put(pod("large", 9));
    assertThat(next()).isEqualTo("large");
    queue.retry();
    queue.failed(pod("large", 9).name());
    assertThat(queue.size(SchedulerMetrics.Waiting.BACKOFF)).isEqualTo(1);

    pass(Duration.ofSeconds(1));

    assertThat(next()).isEqualTo("large");
    queue.failed(pod("large", 9).name());
    assertThat(queue.size(SchedulerMetrics.Waiting.UNSCHEDULABLE)).isEqualTo(1);
  }

  @Test
  void parkedPod_comesAtOnceAfterAChange() throws Exception {
    queue.put(pod("claims", 9));
    assertThat(next()).isEqualTo("claims");
    queue.park(pod("claims", 9).name());
    queue.put(pod("small", 0));
    assertThat(next()).isEqualTo("small");

    queue.retry();

    assertThat(next()).isEqualTo("claims");
  }

  @Test
  void newState_replacesTheOld_andIsTriedAtOnce() throws Exception {
    queue.put(pod("large", 9));
    assertThat(next()).isEqualTo("large");
    queue.failed(pod("large", 9).name());

    queue.put(pod("large", 3));

    assertThat(queue.next().priority()).isEqualTo(3);
    queue.remove(pod("large", 3).name());
    assertThat(queue.size()).isZero();
  }

  @Test
  void onlyWordsChanged_doNotBringThePodSooner() throws Exception {
    queue.put(pod("large", 9));
    assertThat(next()).isEqualTo("large");
    queue.failed(pod("large", 9).name());
    queue.replace(pod("large", 8));
    queue.put(pod("small", 0));

    assertThat(next()).isEqualTo("small");
    pass(Duration.ofMinutes(5));
    assertThat(queue.next().priority()).isEqualTo(8);
  }
}
