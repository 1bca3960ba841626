package dev.keelson.http.filter;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;

/** Refuses with 401, without a word on what is wrong with the credentials. */
record UnauthorizedHandler() implements RequestHandler {

  @Override
  public ApiResponse answer(Exchange exchange) {
    throw new ApiException(Reason.UNAUTHORIZED, "Unauthorized");
  }
}
