package dev.keelson.http.connection;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.Exchange;
import dev.keelson.http.PathErrors;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.connection.limit.ConnectionRate;
import dev.keelson.request.Deadline;
import dev.keelson.request.Interruption;
import dev.keelson.request.LongRunning;
import dev.keelson.request.RequestInfo;
import dev.keelson.work.Turn;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP request with its deadline and response. It gets exactly one response: that of the filter
 * chain, or 504 if the deadline passes first. A response that is being sent when the deadline
 * passes is cut, unless the request is long-running (source: server/filters/timeout.go).
 *
 * <p>Created and completed on the event loop; {@link #run} and {@link #send} are called on the
 * request's thread.
 */
public final class Call {

  private static final String KEY = Call.class.getName();

  private final ApiRequest request;
  private final Responses.Target target;
  private final Services services;
  private final AtomicBoolean answered = new AtomicBoolean();

  /** Null if the request has no body. */
  private @Nullable RequestBody body;

  /** Whether the request may last, so that the rate of the connection applies to its response. */
  private volatile boolean longRunning;

  /** The response that the deadline cuts; null if there is none. */
  private volatile @Nullable StreamedResponse streaming;

  /** The request as its handlers have it; null before they have. */
  private volatile @Nullable Exchange running;

  /** The thread that handles the request; null before and after. */
  private volatile @Nullable Thread worker;

  /**
   * The services that all calls share.
   *
   * @param threads run requests
   * @param parts those of all streamed bodies
   * @param most the maximum duration of a request
   * @param bodies the limits of all bodies
   */
  record Services(
      Vertx vertx,
      Executor threads,
      Responses responses,
      ResponseHead head,
      PartsUnderWay parts,
      ErrorResponses errors,
      Duration most,
      RequestBody.Limits bodies) {}

  private Call(ApiRequest request, Responses.Target target, Services services) {
    this.request = request;
    this.target = target;
    this.services = services;
  }

  /** Starts to read the body of a request; the deadline starts at once. */
  static Call begin(
      RoutingContext routing, ApiRequest request, Responses.Target target, Services services) {
    Call call = new Call(request, target, services);
    routing.put(KEY, call);
    target.end().add(call::over);
    if (RequestBody.belongsTo(target.request())) {
      call.body = RequestBody.of(target, services.vertx(), services.bodies());
    }
    call.setDeadline(services.most());
    return call;
  }

  /**
   * A call whose body is not read here.
   *
   * @param limited whether it has a deadline, which starts at once
   */
  static Call beginUnread(
      ApiRequest request, Responses.Target target, Services services, boolean limited) {
    Call call = new Call(request, target, services);
    target.end().add(call::over);
    if (limited) {
      call.setDeadline(services.most());
    }
    return call;
  }

  /** Returns the call that {@link RequestReceiver} created for a request. */
  public static Call of(RoutingContext routing) {
    Call call = routing.get(KEY);
    if (call == null) {
      throw new IllegalStateException("not a request of the API: " + routing.request().uri());
    }
    return call;
  }

  /** The request, without its body. */
  public ApiRequest request() {
    return request;
  }

  /** The request is complete, or its client gone: a thread that is queued waits no longer. */
  private void over() {
    answered.set(true);
    Thread thread = worker;
    if (thread != null) {
      LockSupport.unpark(thread);
    }
  }

  private void setDeadline(Duration time) {
    long timer = services.vertx().setTimer(Math.max(1, time.toMillis()), late -> answerTimeout());
    target.end().add(() -> services.vertx().cancelTimer(timer));
  }

  private void answerTimeout() {
    if (answered.compareAndSet(false, true)) {
      Thread thread = worker;
      if (thread != null) {
        thread.interrupt();
      }
      Interruption interruption = interruption();
      if (interruption != null) {
        interruption.timedOut();
      }
      ApiException error =
          new ApiException(
              Reason.TIMEOUT, "Timeout: request did not complete within the allotted timeout");
      services.responses().write(target, services.errors().answer(request, error));
      return;
    }
    StreamedResponse sending = streaming;
    if (sending != null) {
      sending.cut();
    }
  }

  private @Nullable Interruption interruption() {
    Exchange exchange = running;
    return exchange == null ? null : exchange.context().interruption();
  }

  private void countCut() {
    Interruption interruption = interruption();
    if (interruption != null) {
      interruption.cut();
    }
  }

  /**
   * Runs the filter chain. The chain turns errors into a Status, so an exception that it throws is
   * a bug.
   *
   * @param info the request info
   */
  @SuppressWarnings("CatchingUnchecked")
  public ApiResponse run(RequestInfo info, RequestHandler chain) {
    worker = Thread.currentThread();
    longRunning = LongRunning.is(info);
    RequestBody sent = body;
    try {
      ApiRequest whole = sent == null ? request : request.with(sent);
      Exchange exchange = new Exchange(whole, info, services.errors().anonymousContext(whole));
      running = exchange;
      limit(exchange);
      if (sent != null) {
        sent.isOf(exchange.context());
      }
      ApiResponse answer =
          Turn.run(() -> isAbandoned(exchange.info()), () -> chain.answer(exchange));
      if (!exchange.context().user().isAnonymous()) {
        ConnectionTimes connection = ConnectionTimes.of(target.request().connection());
        if (connection != null) {
          connection.authenticated();
        }
      }
      return sent != null && sent.endsConnection() ? answer.with("Connection", "close") : answer;
    } catch (Exception e) {
      return failed(e);
    } catch (StackOverflowError | OutOfMemoryError e) {
      return failed(new IllegalStateException("the request exhausted the thread", e));
    } finally {
      worker = null;
      if (sent != null) {
        sent.handled();
      }
    }
  }

  /** Whether nobody waits for the response; documents are made for all clients and completed. */
  private boolean isAbandoned(RequestInfo info) {
    return info instanceof RequestInfo.Resource && answered.get();
  }

  /**
   * Sets the deadline that the client asks for; the filters refuse one that is no duration, and a
   * path that ends where the resource should be.
   */
  private void limit(Exchange exchange) {
    try {
      PathErrors.checkResource(exchange.info());
      Duration asked = RequestDeadline.of(request, exchange.info(), services.most());
      if (asked.compareTo(services.most()) < 0) {
        target.context().runOnContext(onLoop -> setDeadline(asked));
      }
      exchange.context().answerBy(Deadline.in(asked));
    } catch (ApiException e) {
      exchange.context().fail(e);
    }
  }

  /** Returns the response to a request that failed with {@code error}. */
  public ApiResponse failed(Exception error) {
    return services.errors().answer(request, error);
  }

  /**
   * Sends the response unless the deadline has passed; returns when a streamed body has been sent.
   * On an event loop it does not wait: a streamed body is then written by a thread of its own.
   */
  public void send(ApiResponse answer) {
    if (blocks(answer.body()) && Context.isOnEventLoopThread()) {
      // the framework goes on with the response of an asynchronous handler on the event loop
      services.threads().execute(() -> send(answer));
      return;
    }
    if (answer.body() instanceof Body.Streamed streamed) {
      StreamedResponse response = streamed(/* rate= */ null);
      if (answered.compareAndSet(false, true)) {
        response.send(answer, streamed);
      } else {
        streamed.abandon();
      }
      return;
    }
    if (answer.body() instanceof Body.Relayed relayed) {
      StreamedResponse response = streamed(longRunning ? target.rate() : null);
      if (answered.compareAndSet(false, true)) {
        response.send(answer, relayed);
      } else {
        relayed.abandon();
      }
      return;
    }
    target.context().runOnContext(onLoop -> write(answer));
  }

  private StreamedResponse streamed(@Nullable ConnectionRate rate) {
    StreamedResponse response =
        new StreamedResponse(target, services.head(), services.parts(), rate, this::countCut);
    if (!longRunning) {
      streaming = response;
    }
    return response;
  }

  /** Whether the body is written by a thread that waits for the connection. */
  private static boolean blocks(Body body) {
    return switch (body) {
      case Body.Streamed _, Body.Relayed _ -> true;
      case Body.Payload _, Body.LongRunning _, Body.Upgraded _ -> false;
    };
  }

  private void write(ApiResponse answer) {
    if (answered.compareAndSet(false, true)) {
      services.responses().write(target, answer);
    } else if (answer.body() instanceof Body.LongRunning live) {
      live.abandon();
    } else if (answer.body() instanceof Body.Upgraded upgraded) {
      upgraded.abandon();
    }
  }
}
