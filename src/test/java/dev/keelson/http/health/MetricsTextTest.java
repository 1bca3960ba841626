package dev.keelson.http.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class MetricsTextTest {

  private final Metrics metrics = new Metrics();

  private String text() {
    return metrics.answer().body();
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0.0, 0",
    "1, 1",
    "-3, -3",
    "0.25, 0.25",
    "999999, 999999",
    "1000000, 1e+06",
    "1764287000, 1.764287e+09",
    "0.00001, 1e-05",
    "NaN, NaN",
    "Infinity, +Inf",
    "-Infinity, -Inf"
  })
  void values_areWrittenAsGosClientWritesThem(double value, String expected) {
    Gauge.builder("test_value", () -> value).register(metrics.registry());

    assertThat(text()).contains("\ntest_value " + expected + "\n");
  }

  @Test
  void histogram_hasBoundsWithoutANeedlessFraction_andSumBeforeCount() {
    Timer.builder("test_duration")
        .description("Time of a test.")
        .tags("verb", "GET")
        .serviceLevelObjectives(Buckets.seconds(0.005, 1, 60))
        .register(metrics.registry())
        .record(Duration.ofMillis(250));

    assertThat(text())
        .contains(
            """
            # HELP test_duration_seconds Time of a test.
            # TYPE test_duration_seconds histogram
            test_duration_seconds_bucket{verb="GET",le="0.005"} 0
            test_duration_seconds_bucket{verb="GET",le="1"} 1
            test_duration_seconds_bucket{verb="GET",le="60"} 1
            test_duration_seconds_bucket{verb="GET",le="+Inf"} 1
            test_duration_seconds_sum{verb="GET"} 0.25
            test_duration_seconds_count{verb="GET"} 1
            """);
  }

  @ParameterizedTest
  @CsvSource({
    "apiserver_request_total, [STABLE] Some.",
    "apiserver_authorization_config_controller_automatic_reloads_total, [BETA] Some.",
    "apiserver_audit_event_total, [ALPHA] Some.",
    "kube_apiserver_clusterip_allocator_allocation_total, [ALPHA] Some.",
    "keelson_file_reloads_total, Some."
  })
  void help_beginsWithTheLevelOfKubernetesMetrics(String name, String help) {
    metrics.count(name, "Some.", Map.of());

    assertThat(text()).contains("# HELP " + name + " " + help + "\n# TYPE " + name + " counter\n");
  }

  @Test
  void metricWithoutHelp_hasItsLevel() {
    metrics.gauge("apiserver_current_inflight_requests", Map.of(), () -> 1);

    assertThat(text()).contains("# HELP apiserver_current_inflight_requests [STABLE]\n");
  }

  @Test
  void largeBounds_haveAnExponent() {
    DistributionSummary.builder("test_bytes")
        .serviceLevelObjectives(1000, 1_000_000)
        .register(metrics.registry())
        .record(5000);

    assertThat(text())
        .contains("\ntest_bytes_bucket{le=\"1000\"} 0\n", "\ntest_bytes_bucket{le=\"1e+06\"} 1\n");
  }

  @Test
  void summary_hasItsQuantiles() {
    DistributionSummary summary =
        DistributionSummary.builder("test_sizes")
            .publishPercentiles(0.5)
            .register(metrics.registry());
    summary.record(8);

    assertThat(text())
        .contains(
            "# TYPE test_sizes summary\ntest_sizes{quantile=\"0.5\"} 8\n",
            "\ntest_sizes_sum 8\ntest_sizes_count 1\n");
  }

  @Test
  void valuesOfLabels_areEscaped() {
    Gauge.builder("test_labels", () -> 1).tags("a", "x\"\\\ny").register(metrics.registry());

    assertThat(text()).contains("\ntest_labels{a=\"x\\\"\\\\\\ny\"} 1\n");
  }

  @Test
  void reset_countsFromThenOn_andHidesWhatIsNotCountedSince() {
    Counter gets = counter("GET");
    Counter puts = counter("PUT");
    Counter all = Counter.builder("test_all").register(metrics.registry());
    Timer times =
        Timer.builder("test_duration")
            .tags("verb", "GET")
            .serviceLevelObjectives(Buckets.seconds(1))
            .register(metrics.registry());
    gets.increment(5);
    puts.increment(7);
    all.increment(9);
    times.record(Duration.ofMillis(500));

    metrics.reset();
    gets.increment(2);

    assertThat(text())
        .contains("\ntest_requests_total{verb=\"GET\"} 2\n", "\ntest_all_total 9\n")
        .doesNotContain("verb=\"PUT\"", "test_duration_seconds_bucket");
    times.record(Duration.ofSeconds(2));
    assertThat(text())
        .contains(
            "\ntest_duration_seconds_bucket{verb=\"GET\",le=\"1\"} 0\n",
            "\ntest_duration_seconds_bucket{verb=\"GET\",le=\"+Inf\"} 1\n",
            "\ntest_duration_seconds_sum{verb=\"GET\"} 2\n");
    metrics.reset();
    gets.increment();
    assertThat(text()).contains("\ntest_requests_total{verb=\"GET\"} 1\n");
  }

  private Counter counter(String verb) {
    return Counter.builder("test_requests_total").tags("verb", verb).register(metrics.registry());
  }
}
