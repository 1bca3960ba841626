package dev.keelson.server.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.controller.WorkQueue;
import dev.keelson.testing.ManualClock;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class WorkQueueMetersTest {

  private final ManualClock clock = new ManualClock();
  private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(key -> null);
  private final WorkQueueMeters meters = new WorkQueueMeters(registry);
  private final WorkQueue<String> queue = queue("deployment");

  private WorkQueue<String> queue(String name) {
    Instant begin = clock.instant();
    WorkQueue<String> made =
        new WorkQueue<>(
            name,
            Duration.ofSeconds(1),
            Duration.ofMinutes(1),
            () -> Duration.between(begin, clock.instant()).toNanos());
    made.measure(meters);
    return made;
  }

  /** The value of a series of the queue; empty if it is not there. */
  private Optional<String> value(String series) {
    return registry
        .scrape()
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .map(line -> line.substring(series.length() + 1))
        .findFirst();
  }

  private String of(String metric) {
    return value(metric + "{name=\"deployment\"}").orElseThrow();
  }

  private String bucket(String metric, String bound) {
    return value(metric + "_bucket{name=\"deployment\",le=\"" + bound + "\"}").orElseThrow();
  }

  @Test
  void items_areCountedAndTimed() throws Exception {
    queue.add("a");
    queue.add("b");
    queue.add("a");

    assertThat(of("workqueue_adds_total")).isEqualTo("2.0");
    assertThat(of("workqueue_depth")).isEqualTo("2.0");

    clock.advance(Duration.ofMillis(20));
    String taken = queue.take();
    clock.advance(Duration.ofSeconds(3));
    queue.take();
    clock.advance(Duration.ofSeconds(1));

    assertThat(of("workqueue_depth")).isEqualTo("0.0");
    assertThat(of("workqueue_queue_duration_seconds_sum")).isEqualTo("3.04");
    assertThat(bucket("workqueue_queue_duration_seconds", "0.01")).isEqualTo("0");
    assertThat(bucket("workqueue_queue_duration_seconds", "0.1")).isEqualTo("1");
    assertThat(bucket("workqueue_queue_duration_seconds", "10.0")).isEqualTo("2");
    assertThat(of("workqueue_unfinished_work_seconds")).isEqualTo("5.0");
    assertThat(of("workqueue_longest_running_processor_seconds")).isEqualTo("4.0");

    queue.done(taken);

    assertThat(of("workqueue_work_duration_seconds_count")).isEqualTo("1");
    assertThat(of("workqueue_work_duration_seconds_sum")).isEqualTo("4.0");
    assertThat(of("workqueue_unfinished_work_seconds")).isEqualTo("1.0");
    assertThat(of("workqueue_retries_total")).isEqualTo("0.0");
  }

  @Test
  void failedAndDelayedItems_areRetries_andAddedWhenTheyAreDue() throws Exception {
    queue.add("a");
    queue.failed(queue.take());
    queue.addAfter("b", Duration.ofSeconds(2));

    assertThat(of("workqueue_retries_total")).isEqualTo("2.0");
    assertThat(of("workqueue_adds_total")).isEqualTo("1.0");
    assertThat(of("workqueue_depth")).isEqualTo("0.0");

    clock.advance(Duration.ofSeconds(2));

    assertThat(queue.take()).isEqualTo("a");
    assertThat(of("workqueue_adds_total")).isEqualTo("3.0");
    assertThat(of("workqueue_depth")).isEqualTo("1.0");
  }

  @Test
  void anItemThatIsAddedWhileItIsUnderWay_waits() throws Exception {
    queue.add("a");
    String taken = queue.take();
    queue.add("a");

    assertThat(of("workqueue_adds_total")).isEqualTo("2.0");
    assertThat(of("workqueue_depth")).isEqualTo("1.0");

    clock.advance(Duration.ofSeconds(5));
    queue.done(taken);
    queue.take();

    assertThat(of("workqueue_queue_duration_seconds_sum")).isEqualTo("5.0");
  }

  @Test
  void buckets_areKubernetes() {
    queue.add("a");

    assertThat(registry.scrape().lines())
        .filteredOn(line -> line.startsWith("workqueue_work_duration_seconds_bucket"))
        .extracting(line -> line.replaceAll(".*le=\"([^\"]*)\".*", "$1"))
        .containsExactly(
            "1.0E-8", "1.0E-7", "1.0E-6", "1.0E-5", "1.0E-4", "0.001", "0.01", "0.1", "1.0", "10.0",
            "+Inf");
  }

  @Test
  void queuesOfOneName_areSummed_untilTheyEnd() {
    WorkQueue<String> other = queue("deployment");
    queue.add("a");
    other.add("a");
    other.add("b");

    assertThat(of("workqueue_depth")).isEqualTo("3.0");

    other.endMeasuring();
    other.endMeasuring();
    other.add("c");

    assertThat(of("workqueue_depth")).isEqualTo("1.0");
    assertThat(of("workqueue_adds_total")).isEqualTo("3.0");
  }

  @Test
  void aQueueWithoutItems_hasNoSeries() {
    assertThat(registry.scrape()).doesNotContain("workqueue_");
  }
}
