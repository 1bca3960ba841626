package dev.keelson.http.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class TimedRatiosTest {

  private final AtomicLong nanos = new AtomicLong(1000);
  private final Metrics metrics = new Metrics();
  private final TimedRatios ratios =
      metrics.ratios(
          "use", "Use of seats.", List.of("level"), new double[] {0, 0.5, 1}, nanos::get);

  @Test
  void everyRatio_countsForTheNanosecondsThatItLasts() {
    TimedRatios.Ratio low = ratios.of("low");
    low.outOf(10);
    nanos.addAndGet(5);
    low.add(5);
    nanos.addAndGet(20);
    low.set(10);
    nanos.addAndGet(3);
    low.outOf(4);
    nanos.addAndGet(2);

    assertThat(text())
        .contains(
            "# TYPE use histogram",
            "use_bucket{level=\"low\",le=\"0\"} 5",
            "use_bucket{level=\"low\",le=\"0.5\"} 25",
            "use_bucket{level=\"low\",le=\"1\"} 28",
            "use_bucket{level=\"low\",le=\"+Inf\"} 30",
            "use_count{level=\"low\"} 30",
            "use_sum{level=\"low\"} 18");
  }

  @Test
  void series_areToldApartByTheirLabels() {
    ratios.of("a").set(1);
    nanos.addAndGet(7);

    assertThat(ratios.of("a")).isSameAs(ratios.of("a"));
    assertThat(ratios.of("b")).isNotSameAs(ratios.of("a"));
    assertThat(text()).contains("use_count{level=\"a\"} 7", "use_count{level=\"b\"} 0");
  }

  @Test
  void disabledOnes_areNotShown() {
    Metrics without = new Metrics(Set.of("use"), null);
    without
        .ratios("use", "Use of seats.", List.of("level"), new double[] {1}, nanos::get)
        .of("a")
        .set(1);

    assertThat(without.answer().body()).doesNotContain("use_count");
  }

  private List<String> text() {
    return metrics.answer().body().lines().toList();
  }
}
