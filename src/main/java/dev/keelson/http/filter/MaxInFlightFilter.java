package dev.keelson.http.filter;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.authz.UnionAuthorizer;
import dev.keelson.flow.InFlightLimiter;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestContent;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.LongRunning;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestContext.Refuser;
import dev.keelson.request.RequestInfo;

/**
 * Rejects requests with 429 while too many are in flight; health checks and long-running requests
 * are not limited, and the group system:masters is always let through (source: {@code
 * WithMaxInFlightLimit}). A request whose body is on its way is not in flight: clients that stall
 * could hold all places otherwise. Their number is bounded by the memory for bodies.
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
    Place place =
        new Place(
            exchange.context(),
            limiter,
            sort,
            exchange.context().user().groups().contains(UnionAuthorizer.MASTERS));
    place.enter();
    try {
      RequestContent content = exchange.request().content();
      return next.answer(
          content.isComplete()
              ? exchange
              : new Exchange(
                  exchange.request().with(new AwaitedContent(content, place)),
                  exchange.info(),
                  exchange.context()));
    } finally {
      place.leave();
    }
  }

  /** The place of one request; used by its thread. */
  private static final class Place {

    private final RequestContext context;
    private final InFlightLimiter limiter;
    private final InFlightLimiter.Sort sort;
    private final boolean exempt;
    private boolean taken;

    Place(
        RequestContext context,
        InFlightLimiter limiter,
        InFlightLimiter.Sort sort,
        boolean exempt) {
      this.context = context;
      this.limiter = limiter;
      this.sort = sort;
      this.exempt = exempt;
    }

    void enter() {
      taken = limiter.enter(sort);
      if (!taken && !exempt) {
        context.refusedBy(Refuser.APISERVER);
        throw new ApiException(
            Reason.TOO_MANY_REQUESTS,
            "Too many requests, please try again later.",
            ErrorDetails.NONE.withRetryAfterSeconds(1),
            null);
      }
    }

    void leave() {
      if (taken) {
        taken = false;
        limiter.leave(sort);
      }
    }
  }

  /**
   * A body that gives the place of its request back while it is waited for.
   *
   * @param body what is on its way
   */
  private record AwaitedContent(RequestContent body, Place place) implements RequestContent {

    @Override
    public byte[] bytes() {
      if (body.isComplete()) {
        return body.bytes();
      }
      place.leave();
      byte[] bytes = body.bytes();
      place.enter();
      return bytes;
    }

    @Override
    public boolean taken() {
      return body.taken();
    }

    @Override
    public long length() {
      return body.length();
    }

    @Override
    public boolean isComplete() {
      return body.isComplete();
    }
  }
}
