package dev.keelson.server.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.controller.workload.EvictionMetrics;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class EvictionMetersTest {

  private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(key -> null);
  private final EvictionMetrics metrics =
      new EvictionMeters(registry).of("device_taint_eviction_controller");

  private String value(String series) {
    return registry
        .scrape()
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .map(line -> line.substring(series.length() + 1))
        .findFirst()
        .orElse("");
  }

  @Test
  void evictions_areCountedAndTimed() {
    assertThat(value("device_taint_eviction_controller_pod_deletions_total")).isEqualTo("0.0");

    metrics.evicted(Duration.ofSeconds(2));
    metrics.evicted(Duration.ofSeconds(-1));

    assertThat(value("device_taint_eviction_controller_pod_deletions_total")).isEqualTo("2.0");
    String times = "device_taint_eviction_controller_pod_deletion_duration_seconds";
    assertThat(value(times + "_bucket{le=\"0.005\"}")).isEqualTo("1");
    assertThat(value(times + "_bucket{le=\"1.0\"}")).isEqualTo("1");
    assertThat(value(times + "_bucket{le=\"2.5\"}")).isEqualTo("2");
    assertThat(value(times + "_bucket{le=\"240.0\"}")).isEqualTo("2");
  }

  @Test
  void severalLeaderships_countOn() {
    metrics.evicted(Duration.ZERO);

    new EvictionMeters(registry).of("device_taint_eviction_controller").evicted(Duration.ZERO);

    assertThat(value("device_taint_eviction_controller_pod_deletions_total")).isEqualTo("2.0");
  }
}
