package dev.keelson.http.filter;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.flow.InFlightLimiter;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.LongRunning;
import dev.keelson.request.RequestInfo;

/**
 * Rejects requests with 429 while too many are in flight; health checks and long-running requests
 * are not limited.
 */
record MaxInFlightFilter(InFlightLimiter limiter, RequestHandler next) implements RequestHandler {

  @Override
  public ApiResponse answer(Exchange exchange) {
    if (!(exchange.info() instanceof RequestInfo.Resource resource) || LongRunning.is(resource)) {
      return next.answer(exchange);
    }
    InFlightLimiter.Sort sort =
        switch (resource.verb()) {
          case GET, LIST, WATCH -> InFlightLimiter.Sort.READ_ONLY;
          case CREATE, UPDATE, PATCH, DELETE, DELETE_COLLECTION, CONNECT ->
              InFlightLimiter.Sort.MUTATING;
        };
    if (!limiter.enter(sort)) {
      throw new ApiException(
          Reason.TOO_MANY_REQUESTS,
          "too many requests, please try again later",
          ErrorDetails.NONE.withRetryAfterSeconds(1),
          null);
    }
    try {
      return next.answer(exchange);
    } finally {
      limiter.leave(sort);
    }
  }
}
