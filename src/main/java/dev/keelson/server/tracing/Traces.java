package dev.keelson.server.tracing;

import dev.keelson.request.Tracer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The tracer of this server, if it traces; knows no class of OpenTelemetry. */
public final class Traces implements AutoCloseable {

  private final @Nullable Tracer tracer;
  private final AutoCloseable end;

  private Traces(@Nullable Tracer tracer, AutoCloseable end) {
    this.tracer = tracer;
    this.end = end;
  }

  /**
   * Begins to trace if that is configured.
   *
   * @param configuration null without tracing
   * @param server the id of this server, asked for with tracing only
   */
  public static Traces of(@Nullable TracingConfiguration configuration, Supplier<String> server) {
    if (configuration == null) {
      return new Traces(null, () -> {});
    }
    Tracing tracing = Tracing.of(configuration, server.get());
    return new Traces(tracing, tracing);
  }

  /** Begins the spans of requests; null without tracing. */
  public @Nullable Tracer tracer() {
    return tracer;
  }

  /** Sends what has been recorded. */
  @Override
  public void close() throws Exception {
    end.close();
  }
}
