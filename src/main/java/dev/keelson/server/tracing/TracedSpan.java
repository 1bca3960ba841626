package dev.keelson.server.tracing;

import dev.keelson.request.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Instant;
import java.util.function.BiConsumer;

/**
 * A span of OpenTelemetry.
 *
 * @param source makes the spans below it
 * @param context with the span itself, for those below it and for other processes
 */
record TracedSpan(Source source, Context context, io.opentelemetry.api.trace.Span span)
    implements Span {

  /** Connects spans with the events of the audit log. */
  static final String AUDIT_ID = "audit-id";

  /** What all spans of a request share. */
  record Source(Tracer tracer, String auditId) {

    SpanBuilder below(Context context, String name) {
      return tracer.spanBuilder(name).setParent(context).setAttribute(AUDIT_ID, auditId);
    }
  }

  /** The span below {@code outer} that begins now, or at the time that the builder knows. */
  static TracedSpan began(Source source, Context outer, SpanBuilder builder) {
    io.opentelemetry.api.trace.Span span = builder.startSpan();
    return new TracedSpan(source, outer.with(span), span);
  }

  /** The time that lies {@code nanos} before now. */
  static Instant before(long nanos) {
    return Instant.now().minusNanos(nanos);
  }

  @Override
  public boolean isRecording() {
    return span.isRecording();
  }

  @Override
  public Span child(String name, Kind kind) {
    if (!span.isRecording()) {
      // unsampled spans below it would tell others no more
      return this;
    }
    return began(
        source,
        context,
        source
            .below(context, name)
            .setSpanKind(kind == Kind.CLIENT ? SpanKind.CLIENT : SpanKind.INTERNAL));
  }

  @Override
  public Span begun(String name, long nanos) {
    return span.isRecording()
        ? began(source, context, source.below(context, name).setStartTimestamp(before(nanos)))
        : this;
  }

  @Override
  public Span event(String event) {
    span.addEvent(event);
    return this;
  }

  @Override
  public Span with(String attribute, String value) {
    span.setAttribute(attribute, value);
    return this;
  }

  @Override
  public Span with(String attribute, long value) {
    span.setAttribute(attribute, value);
    return this;
  }

  @Override
  public void failed(String why) {
    span.setStatus(StatusCode.ERROR, why);
  }

  @Override
  public void end() {
    span.end();
  }

  @Override
  public void propagate(BiConsumer<String, String> headers) {
    Propagation.sent(context, headers);
  }
}
