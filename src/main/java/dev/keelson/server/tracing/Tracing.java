package dev.keelson.server.tracing;

import dev.keelson.request.Span;
import dev.keelson.request.Tracer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.util.concurrent.TimeUnit;

/**
 * The spans of requests, sent to a collector in batches by a thread of OpenTelemetry's. What a slow
 * collector does not take is dropped beyond 2,048 spans; requests never wait for it.
 */
public final class Tracing implements Tracer, AutoCloseable {

  private static final String SERVICE = "apiserver";
  private static final int FLUSH_SECONDS = 5;

  private final Collector collector;
  private final SdkTracerProvider provider;
  private final io.opentelemetry.api.trace.Tracer tracer;

  private Tracing(Collector collector, SdkTracerProvider provider) {
    this.collector = collector;
    this.provider = provider;
    this.tracer = provider.get("dev.keelson");
  }

  /**
   * Begins to trace. The connection to the collector is opened for the first spans.
   *
   * @param server the id of this server among those of the cluster
   */
  public static Tracing of(TracingConfiguration configuration, String server) {
    Collector collector = Collector.at(configuration.endpoint());
    int rate = configuration.samplingRatePerMillion();
    // as kube-apiserver: without a rate only the traces of trusted clients are sampled
    Sampler own =
        rate == 0
            ? Sampler.alwaysOff()
            : Sampler.traceIdRatioBased((double) rate / TracingConfiguration.MILLION);
    return new Tracing(
        collector,
        SdkTracerProvider.builder()
            .setResource(
                Resource.create(
                    Attributes.of(
                        AttributeKey.stringKey("service.name"),
                        SERVICE,
                        AttributeKey.stringKey("service.instance.id"),
                        server)))
            .setSampler(Sampler.parentBased(own))
            .addSpanProcessor(BatchSpanProcessor.builder(collector.exporter()).build())
            .build());
  }

  @Override
  public Span request(Incoming incoming) {
    Context sent = Propagation.received(incoming.headers());
    SpanContext theirs = io.opentelemetry.api.trace.Span.fromContext(sent).getSpanContext();
    SpanBuilder span =
        tracer
            .spanBuilder(incoming.name())
            .setSpanKind(SpanKind.SERVER)
            .setAttribute(TracedSpan.AUDIT_ID, incoming.auditId())
            .setStartTimestamp(TracedSpan.before(System.nanoTime() - incoming.begin()))
            .setParent(sent);
    if (theirs.isValid() && !incoming.trusted()) {
      span.setNoParent().addLink(theirs);
    }
    return TracedSpan.began(new TracedSpan.Source(tracer, incoming.auditId()), sent, span);
  }

  /** Sends what has been recorded, for at most five seconds, and closes the connection. */
  @Override
  public void close() {
    CompletableResultCode unused = provider.shutdown().join(FLUSH_SECONDS, TimeUnit.SECONDS);
    collector.close();
  }
}
