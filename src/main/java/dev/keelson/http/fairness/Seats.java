package dev.keelson.http.fairness;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.flow.level.Classified;
import dev.keelson.flow.level.FlowMetrics.Phase;
import dev.keelson.flow.queue.Flow;
import dev.keelson.flow.queue.Outcome;
import dev.keelson.flow.queue.QueueSet;
import dev.keelson.flow.queue.Ticket;
import dev.keelson.flow.queue.WorkEstimate;
import dev.keelson.http.Exchange;
import dev.keelson.request.Latencies;
import dev.keelson.request.RequestContext.Refuser;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.Span;
import dev.keelson.work.Turn;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The seats of one request. Taken by its thread, a virtual one: while the request is queued it is
 * parked, and no other thread waits for it. Released by any thread.
 */
final class Seats {

  /** How a request waits for its seats: a quarter of the time that it may take. */
  private static final int PART_OF_TIME = 4;

  private final FairnessParts parts;
  private final Classified where;
  private final WorkEstimate work;
  private final Exchange exchange;
  private final boolean mutating;
  private final AtomicReference<@Nullable Taken> taken = new AtomicReference<>();

  /**
   * Seats that are taken.
   *
   * @param since nanoseconds
   */
  private record Taken(Ticket ticket, long since) {}

  Seats(
      FairnessParts parts,
      Classified where,
      WorkEstimate work,
      Exchange exchange,
      boolean mutating) {
    this.parts = parts;
    this.where = where;
    this.work = work;
    this.exchange = exchange;
    this.mutating = mutating;
  }

  /**
   * Takes the seats, when it is the request's turn.
   *
   * @throws ApiException of reason TooManyRequests if the request is rejected, Timeout if nobody
   *     waits for it any more
   */
  void take() {
    Thread self = Thread.currentThread();
    QueueSet queues = where.level().queues();
    Flow flow = where.flow(exchange);
    long begin = nanos();
    Ticket ticket = queues.start(flow, work, () -> LockSupport.unpark(self));
    Outcome outcome = ticket.outcome();
    if (outcome == null) {
      parts.metrics().inFlight(mutating, Phase.WAITING, 1);
      outcome = await(queues, ticket, begin + longestWait().toNanos());
      parts.metrics().inFlight(mutating, Phase.WAITING, -1);
    }
    long now = nanos();
    if (!where.level().spec().exempt()) {
      exchange.context().latencies().add(Latencies.Layer.QUEUE_WAIT, now - begin);
      Span traced = exchange.context().latencies().span();
      if (traced != null) {
        traced.begun("priorityandfairness", now - begin).end();
      }
      parts
          .metrics()
          .waited(
              where.level().spec().name(),
              where.schema().name(),
              outcome == Outcome.EXECUTE,
              Duration.ofNanos(now - begin));
    }
    if (outcome != Outcome.EXECUTE) {
      throw refusal(outcome);
    }
    parts.metrics().inFlight(mutating, Phase.EXECUTING, 1);
    taken.set(new Taken(ticket, now));
  }

  private Duration longestWait() {
    Duration own = exchange.context().deadline().left();
    Duration most = parts.requestTimeout();
    return (own.compareTo(most) < 0 ? own : most).dividedBy(PART_OF_TIME);
  }

  private Outcome await(QueueSet queues, Ticket ticket, long until) {
    boolean interrupted = false;
    Outcome outcome;
    while ((outcome = ticket.outcome()) == null) {
      long left = until - nanos();
      interrupted |= Thread.interrupted();
      if (interrupted || Turn.isAbandoned()) {
        queues.giveUp(ticket, Outcome.CANCELLED);
      } else if (left <= 0) {
        queues.giveUp(ticket, Outcome.TIME_OUT);
      } else {
        LockSupport.parkNanos(this, left);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return outcome;
  }

  private ApiException refusal(Outcome outcome) {
    if (outcome == Outcome.CANCELLED) {
      return new ApiException(Reason.TIMEOUT, "nobody waits for the response any more");
    }
    exchange.context().refusedBy(Refuser.APISERVER);
    int retry = where.level().reject(parts.time().millis().getAsLong() / 1000);
    return new ApiException(
        Reason.TOO_MANY_REQUESTS,
        "Too many requests, please try again later.",
        ErrorDetails.NONE.withRetryAfterSeconds(retry),
        null);
  }

  /** Releases the seats; does nothing if there are none. */
  void release() {
    Taken held = taken.getAndSet(null);
    if (held == null) {
      return;
    }
    where.level().queues().finish(held.ticket);
    parts.metrics().inFlight(mutating, Phase.EXECUTING, -1);
    parts
        .metrics()
        .executed(
            where.level().spec().name(),
            where.schema().name(),
            exchange.info() instanceof RequestInfo.Resource resource
                && resource.verb() == Verb.WATCH,
            Duration.ofNanos(nanos() - held.since));
  }

  private long nanos() {
    return parts.time().nanos().getAsLong();
  }
}
