package dev.keelson.server.tracing;

import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The headers by which traces go from process to process (W3C Trace Context and Baggage). */
final class Propagation {

  private static final TextMapPropagator HEADERS =
      TextMapPropagator.composite(
          W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance());

  private static final TextMapGetter<Map<String, List<String>>> FIRST =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Map<String, List<String>> headers) {
          return headers.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, List<String>> headers, String name) {
          List<String> values = headers == null ? null : headers.get(name);
          return values == null || values.isEmpty() ? null : values.getFirst();
        }
      };

  private Propagation() {}

  /**
   * Returns what a client has sent; without a valid trace the root context.
   *
   * @param headers every value by lower-case name
   */
  static Context received(Map<String, List<String>> headers) {
    return HEADERS.extract(Context.root(), headers, FIRST);
  }

  /** Gives the headers that continue the trace of {@code context} in another process. */
  static void sent(Context context, BiConsumer<String, String> headers) {
    HEADERS.inject(
        context,
        headers,
        (to, name, value) -> {
          if (to != null) {
            to.accept(name, value);
          }
        });
  }
}
