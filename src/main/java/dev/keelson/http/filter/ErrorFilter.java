package dev.keelson.http.filter;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;

/** Turns exceptions of the inner handlers into Status responses. */
record ErrorFilter(ErrorResponses errors, RequestHandler next) implements RequestHandler {

  @Override
  @SuppressWarnings("CatchingUnchecked")
  public ApiResponse answer(Exchange exchange) {
    try {
      return next.answer(exchange);
    } catch (Exception e) {
      return errors.answer(exchange.request(), e);
    }
  }
}
