package dev.keelson.http.filter;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;

/**
 * Refuses a request without a user: for what is wrong with it, else with 401, without a word on
 * what is wrong with the credentials.
 */
record RefusingHandler() implements RequestHandler {

  @Override
  public ApiResponse answer(Exchange exchange) {
    RuntimeException failure = exchange.context().failure();
    throw failure == null ? new ApiException(Reason.UNAUTHORIZED, "Unauthorized") : failure;
  }
}
