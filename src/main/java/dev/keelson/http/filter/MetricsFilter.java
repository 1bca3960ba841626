package dev.keelson.http.filter;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.RequestMetrics;
import java.time.Duration;

/** Counts and times every request, errors included. */
record MetricsFilter(RequestMetrics metrics, RequestHandler next) implements RequestHandler {

  @Override
  public ApiResponse answer(Exchange exchange) {
    long begin = System.nanoTime();
    ApiResponse answer = next.answer(exchange);
    metrics.record(exchange, answer.status(), Duration.ofNanos(System.nanoTime() - begin));
    return answer;
  }
}
