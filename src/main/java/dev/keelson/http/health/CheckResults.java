package dev.keelson.http.health;

import java.util.Comparator;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * The results of health checks for {@code /metrics/slis} (KEP-3466): the last one of each check,
 * and how many there were. Safe for use by several threads.
 */
final class CheckResults {

  /** A check of a probe. */
  private record Key(String name, String type) {}

  /** The results of one check; {@code passed} is that of the last one. */
  private static final class Results {
    private final LongAdder successes = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private volatile boolean passed;
  }

  private final Map<Key, Results> results =
      new ConcurrentSkipListMap<>(Comparator.comparing(Key::name).thenComparing(Key::type));

  void record(String name, Probe probe, boolean passed) {
    Results known = results.computeIfAbsent(new Key(name, probe.word()), key -> new Results());
    known.passed = passed;
    (passed ? known.successes : known.errors).increment();
  }

  /** Forgets all results. */
  void reset() {
    results.clear();
  }

  /** The metrics in Prometheus' text format. */
  String text() {
    StringBuilder text =
        new StringBuilder(
            """
            # HELP kubernetes_healthcheck [STABLE] This metric records the result of a single healthcheck.
            # TYPE kubernetes_healthcheck gauge
            """);
    results.forEach(
        (key, known) -> line(text, "kubernetes_healthcheck", labels(key), known.passed ? 1 : 0));
    text.append(
        """
        # HELP kubernetes_healthchecks_total [STABLE] This metric records the results of all healthcheck.
        # TYPE kubernetes_healthchecks_total counter
        """);
    results.forEach(
        (key, known) -> {
          counted(text, key, "error", known.errors.sum());
          counted(text, key, "success", known.successes.sum());
        });
    return text.toString();
  }

  private static void counted(StringBuilder text, Key key, String status, long count) {
    if (count > 0) {
      line(
          text,
          "kubernetes_healthchecks_total",
          "name=\"" + key.name + "\",status=\"" + status + "\",type=\"" + key.type + "\"",
          count);
    }
  }

  private static String labels(Key key) {
    return "name=\"" + key.name + "\",type=\"" + key.type + "\"";
  }

  private static void line(StringBuilder text, String metric, String labels, long value) {
    text.append(metric).append('{').append(labels).append("} ").append(value).append('\n');
  }
}
