package dev.keelson.http.filter;

import dev.keelson.http.Body;
import dev.keelson.request.Latencies;
import dev.keelson.request.Spans;
import java.util.concurrent.atomic.AtomicBoolean;

/** A body that is made while it is sent, whose size and end are recorded. */
final class MeasuredStream implements Body.Streamed {

  private final Body.Streamed body;
  private final MeasuredRequest request;
  private final AtomicBoolean begun = new AtomicBoolean();

  MeasuredStream(Body.Streamed body, MeasuredRequest request) {
    this.body = body;
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
            try (Spans.Open _ = Spans.open("SerializeObject")) {
              body.writeTo(counting);
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
