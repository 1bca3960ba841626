package dev.keelson.http.filter;

import dev.keelson.http.Exchange;
import dev.keelson.http.RequestMetrics;
import dev.keelson.http.audit.BodyEnd;
import dev.keelson.request.Latencies;
import dev.keelson.request.Span;

/**
 * A request whose end is recorded.
 *
 * @param status the HTTP code of its response
 * @param begin when it began, by {@link System#nanoTime}
 */
record MeasuredRequest(Exchange exchange, RequestMetrics.Running running, int status, long begin) {

  /** Records the end; called once. */
  void ended(long bytes) {
    running.ended(status, System.nanoTime() - begin, bytes);
    Latencies latencies = exchange.context().latencies();
    Span traced = latencies.span();
    if (traced != null) {
      latencies.trace(null);
      TracingFilter.end(traced, status, bytes);
    }
  }

  /** The end of a body whose size is not known. */
  BodyEnd end() {
    return new BodyEnd(defect -> ended(0), Runnable::run);
  }
}
