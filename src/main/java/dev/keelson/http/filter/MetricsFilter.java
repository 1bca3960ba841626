package dev.keelson.http.filter;

import dev.keelson.http.Answer;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestMetrics;
import dev.keelson.http.Stage;
import java.time.Duration;

/** Counts and times every request, those that end in errors included. */
record MetricsFilter(RequestMetrics metrics, Stage next) implements Stage {

  @Override
  public Answer answer(Exchange exchange) {
    long begin = System.nanoTime();
    Answer answer = next.answer(exchange);
    metrics.record(exchange, answer.status(), Duration.ofNanos(System.nanoTime() - begin));
    return answer;
  }
}
