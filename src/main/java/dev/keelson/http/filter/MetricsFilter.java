package dev.keelson.http.filter;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.RequestMetrics;
import dev.keelson.http.audit.EndingLongRunning;
import dev.keelson.http.audit.EndingUpgrade;

/**
 * Counts and times every request, errors included. A body that outlives its handler is timed to its
 * end, as in kube-apiserver.
 */
record MetricsFilter(RequestMetrics metrics, RequestHandler next) implements RequestHandler {

  @Override
  public ApiResponse answer(Exchange exchange) {
    long begin = System.nanoTime();
    RequestMetrics.Running running = metrics.begin(exchange);
    exchange.context().interruptedTo(running);
    exchange.context().latencies().begin(begin);
    ApiResponse answer = exchange.context().latencies().during(() -> next.answer(exchange));
    MeasuredRequest measured = new MeasuredRequest(exchange, running, answer.status(), begin);
    return switch (answer.body()) {
      case Payload payload -> {
        measured.ended(payload.length());
        yield answer;
      }
      case Body.Streamed streamed ->
          with(answer, new MeasuredStream(streamed, answer.header("Content-Type"), measured));
      case Body.Relayed relayed -> with(answer, new MeasuredRelay(relayed, measured));
      case Body.LongRunning live -> with(answer, new EndingLongRunning(live, measured.end()));
      case Body.Upgraded upgraded -> with(answer, new EndingUpgrade(upgraded, measured.end()));
    };
  }

  private static ApiResponse with(ApiResponse answer, Body body) {
    return new ApiResponse(answer.status(), answer.headers(), body);
  }
}
