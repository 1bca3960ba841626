package dev.keelson.http.filter;

import dev.keelson.http.Body;
import java.util.concurrent.atomic.AtomicBoolean;

/** The body of another server's response, whose size and end are recorded. */
final class MeasuredRelay implements Body.Relayed {

  private final Body.Relayed body;
  private final MeasuredRequest request;
  private final AtomicBoolean begun = new AtomicBoolean();

  MeasuredRelay(Body.Relayed body, MeasuredRequest request) {
    this.body = body;
    this.request = request;
  }

  @Override
  public void writeTo(Body.Sink sink) throws InterruptedException {
    begun.set(true);
    CountingSink counting = new CountingSink(sink);
    try {
      body.writeTo(counting);
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
