package dev.keelson.http.filter;

import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;

/**
 * Adds Strict-Transport-Security to every response (RFC 6797).
 *
 * @param directives the value of the header
 */
record StrictTransportFilter(String directives, RequestHandler next) implements RequestHandler {

  @Override
  public ApiResponse answer(Exchange exchange) {
    return next.answer(exchange).with("Strict-Transport-Security", directives);
  }
}
