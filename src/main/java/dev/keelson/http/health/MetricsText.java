package dev.keelson.http.health;

import dev.keelson.http.health.MetricFamily.Series;
import dev.keelson.value.GoFloat;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.Map;

/**
 * Metrics in Prometheus' text format, with numbers as Go's client writes them ({@code le="1"}, not
 * {@code le="1.0"}): recording rules and boards compare bounds as text (source: prometheus/common,
 * expfmt/text_create.go).
 */
public final class MetricsText {

  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Type",
          "text/plain; version=0.0.4; charset=utf-8; escaping=underscores",
          "Cache-Control",
          "no-cache, private");

  /** Integers below it are written without an exponent. */
  private static final double LARGE = 1e6;

  private final StringBuilder out = new StringBuilder(1 << 16);

  private MetricsText() {}

  /** The response with all metrics of a registry. */
  public static TextResponse answer(PrometheusMeterRegistry registry) {
    return answer(MetricFamily.all(registry));
  }

  /** The response with these families. */
  static TextResponse answer(Iterable<MetricFamily> families) {
    MetricsText text = new MetricsText();
    families.forEach(text::family);
    return new TextResponse(200, HEADERS, text.out.toString());
  }

  private void family(MetricFamily family) {
    if (family.series().isEmpty()) {
      return;
    }
    String level = StabilityLevels.prefix(family.name());
    String help = (level + family.help()).strip();
    if (!help.isEmpty()) {
      out.append("# HELP ").append(family.name()).append(' ');
      escaped(help, /* quoted= */ false);
      out.append('\n');
    }
    out.append("# TYPE ").append(family.name()).append(' ').append(family.type().word());
    out.append('\n');
    for (Series series : family.series()) {
      switch (family.type()) {
        case HISTOGRAM -> distribution(family.name(), series, "_bucket", "le");
        case SUMMARY -> distribution(family.name(), series, "", "quantile");
        case COUNTER, GAUGE, UNTYPED ->
            line(family.name(), "", series.labels(), "", 0, series.numbers()[0]);
      }
    }
  }

  private void distribution(String name, Series series, String suffix, String label) {
    int size = series.points().length;
    for (int i = 0; i < size; i++) {
      line(name, suffix, series.labels(), label, series.points()[i], series.numbers()[i]);
    }
    line(name, "_sum", series.labels(), "", 0, series.numbers()[size]);
    line(name, "_count", series.labels(), "", 0, series.numbers()[size + 1]);
  }

  /**
   * @param label the name of the last label, whose value is {@code point}; empty for none
   */
  private void line(
      String name, String suffix, Labels labels, String label, double point, double value) {
    out.append(name).append(suffix);
    char before = '{';
    for (int i = 0; i < labels.size(); i++) {
      out.append(before).append(labels.getPrometheusName(i)).append("=\"");
      escaped(labels.getValue(i), /* quoted= */ true);
      out.append('"');
      before = ',';
    }
    if (!label.isEmpty()) {
      out.append(before).append(label).append("=\"");
      number(point);
      out.append('"');
      before = ',';
    }
    out.append(before == ',' ? "} " : " ");
    number(value);
    out.append('\n');
  }

  private void number(double value) {
    if (value == (long) value && Math.abs(value) < LARGE) {
      out.append((long) value);
    } else if (Double.isNaN(value)) {
      out.append("NaN");
    } else if (Double.isInfinite(value)) {
      out.append(value > 0 ? "+Inf" : "-Inf");
    } else {
      out.append(GoFloat.print(value));
    }
  }

  private void escaped(String text, boolean quoted) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '"' -> out.append(quoted ? "\\\"" : "\"");
        default -> out.append(c);
      }
    }
  }
}
