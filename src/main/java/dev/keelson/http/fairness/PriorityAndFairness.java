package dev.keelson.http.fairness;

import dev.keelson.api.Verb;
import dev.keelson.flow.level.Classified;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestContent;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.LongRunning;
import dev.keelson.request.RequestInfo;

/**
 * Queues requests fairly and rejects with 429 what would wait too long (source: apiserver,
 * server/filters, {@code WithPriorityAndFairness}). Of long-running requests only watches are
 * counted, until they have begun; a list keeps its seats until it has been written, {@link
 * SeatedStream#LONGEST} at most.
 *
 * <p>A request has no seats while its body is waited for: clients that stall could hold them all
 * otherwise.
 *
 * @param parts what all requests share
 */
public record PriorityAndFairness(FairnessParts parts) {

  /** Returns a handler that calls {@code next} when a request has its seats. */
  public RequestHandler around(RequestHandler next) {
    return exchange -> answer(exchange, next);
  }

  private ApiResponse answer(Exchange exchange, RequestHandler next) {
    RequestInfo info = exchange.info();
    if (LongRunning.is(info) && !isWatch(info)) {
      return next.answer(exchange);
    }
    Classified where = parts.levels().classify(exchange.context().user(), info);
    exchange.context().classify(where.schema().uid(), where.level().spec().uid());
    boolean mutating = isMutating(info);
    if (!parts.limits(mutating)) {
      return next.answer(exchange);
    }
    Seats seats =
        new Seats(parts, where, new SeatsAsked(parts, where).of(exchange), exchange, mutating);
    seats.take();
    boolean kept = false;
    try {
      ApiResponse answer = next.answer(withContent(exchange, seats));
      if (answer.body() instanceof Body.Streamed streamed) {
        kept = true;
        return new ApiResponse(
            answer.status(),
            answer.headers(),
            SeatedStream.of(streamed, seats, parts.time().timer()));
      }
      return answer;
    } finally {
      if (!kept) {
        seats.release();
      }
    }
  }

  private static Exchange withContent(Exchange exchange, Seats seats) {
    RequestContent content = exchange.request().content();
    return content.isComplete()
        ? exchange
        : new Exchange(
            exchange.request().with(new SeatedContent(content, seats)),
            exchange.info(),
            exchange.context());
  }

  private static boolean isWatch(RequestInfo info) {
    return info instanceof RequestInfo.Resource resource
        && resource.verb() == Verb.WATCH
        && !LongRunning.connects(resource.subresource());
  }

  private static boolean isMutating(RequestInfo info) {
    return switch (info) {
      case RequestInfo.Resource resource ->
          switch (resource.verb()) {
            case GET, LIST, WATCH -> false;
            case CREATE, UPDATE, PATCH, DELETE, DELETE_COLLECTION, CONNECT -> true;
          };
      case RequestInfo.NonResource other -> !other.verb().equals("get");
    };
  }
}
