package dev.keelson.http.filter;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;

/**
 * Refuses requests that are invalid whosever they are (source: endpoints/filters/
 * request_deadline.go).
 *
 * @param failed handles them
 */
record InvalidRequestFilter(RequestHandler failed, RequestHandler next) implements RequestHandler {

  @Override
  public ApiResponse answer(Exchange exchange) {
    return exchange.context().failure() == null ? next.answer(exchange) : failed.answer(exchange);
  }
}
