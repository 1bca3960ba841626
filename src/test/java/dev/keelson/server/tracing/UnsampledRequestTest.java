package dev.keelson.server.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.request.Latencies;
import dev.keelson.request.Span;
import dev.keelson.request.Spans;
import dev.keelson.request.Tracer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnsampledRequestTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  private static Span request(Tracing tracing, String sampled) {
    String parent = "00-" + TRACE + "-00f067aa0ba902b7-" + sampled;
    return tracing.request(
        new Tracer.Incoming(
            "GET", "audit", System.nanoTime(), Map.of("traceparent", List.of(parent)), true));
  }

  @ParameterizedTest
  @CsvSource({"00, false", "01, true"})
  void spansBelow_areOpenedOnlyIfTheyAreKept(String sampled, boolean kept) {
    try (Tracing tracing = Tracing.of(new TracingConfiguration("localhost:1", 0), "server")) {
      Latencies latencies = new Latencies();
      latencies.trace(request(tracing, sampled));

      boolean opened =
          latencies.during(
              () -> {
                try (Spans.Open open = Spans.open("Get")) {
                  return open != null;
                }
              });

      assertThat(opened).isEqualTo(kept);
    }
  }

  @Test
  void context_isPassedOnAllTheSame() {
    try (Tracing tracing = Tracing.of(new TracingConfiguration("localhost:1", 0), "server")) {
      Map<String, String> headers = new HashMap<>();

      request(tracing, "00").propagate(headers::put);

      assertThat(headers.get("traceparent")).startsWith("00-" + TRACE).endsWith("-00");
    }
  }
}
