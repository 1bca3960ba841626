package dev.keelson.http.filter;

import dev.keelson.http.Body;
import dev.keelson.http.EncodingSpan;
import dev.keelson.request.Latencies;
import dev.keelson.request.Span;
import dev.keelson.request.Spans;
import java.util.concurrent.atomic.AtomicBoolean;

/** A body that is made while it is sent, whose size and end are recorded. */
final class MeasuredStream implements Body.Streamed {

  private final Body.Streamed body;
  private final String mediaType;
  private final MeasuredRequest request;
  private final AtomicBoolean begun = new AtomicBoolean();

  /**
   * @param mediaType of the body
   */
  MeasuredStream(Body.Streamed body, String mediaType, MeasuredRequest request) {
    this.body = body;
    this.mediaType = mediaType;
    this.request = request;
  }

  @Override
  public void writeTo(Body.Sink sink) throws InterruptedException {
    begun.set(true);
    CountingSink counting = new CountingSink(sink);
    Latencies latencies = request.exchange().context().latencies();
    try {
      latencies.during(
          () -> {
            try (Spans.Open traced = Spans.open(EncodingSpan.NAME)) {
              Span span = traced == null ? null : Spans.current();
              if (span != null) {
                span = EncodingSpan.begun(span, request.exchange().request(), mediaType);
              }
              body.writeTo(counting);
              if (span != null) {
                Span unused = EncodingSpan.written(span);
              }
            }
            return true;
          });
    } finally {
      request.ended(counting.bytes());
    }
  }

  @Override
  public void abandon() {
    body.abandon();
    if (begun.compareAndSet(false, true)) {
      request.ended(0);
    }
  }
}
