package dev.keelson.http.audit;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import java.time.InstantSource;

/** Records when a request arrived. */
public record RequestReceivedFilter(InstantSource clock, RequestHandler next)
    implements RequestHandler {

  @Override
  public ApiResponse answer(Exchange exchange) {
    exchange.context().received(clock.instant());
    return next.answer(exchange);
  }
}
