package dev.keelson.http.connection;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.RequestInfo;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A request from its end on the wire to its answer. It gets exactly one answer: that of the chain,
 * or 504 when its time is over first.
 *
 * <p>Made and ended on the event loop; {@link #run} and {@link #send} are called on the thread of
 * the request.
 */
public final class Call {

  private static final String KEY = Call.class.getName();

  private final ApiRequest request;
  private final Responses.Target target;
  private final Services services;
  private final AtomicBoolean answered = new AtomicBoolean();

  /** Null if the request has none. */
  private @Nullable RequestBody body;

  /** The thread that works on the request; null before and after. */
  private volatile @Nullable Thread worker;

  /**
   * What all requests share.
   *
   * @param most how long a request may take
   */
  record Services(Vertx vertx, Responses responses, ErrorResponses errors, Duration most) {}

  private Call(ApiRequest request, Responses.Target target, Services services) {
    this.request = request;
    this.target = target;
    this.services = services;
  }

  /** Begins to collect the body of a request; its time begins when the body is there. */
  static Call begin(
      RoutingContext routing, ApiRequest request, Responses.Target target, Services services) {
    Call call = new Call(request, target, services);
    routing.put(KEY, call);
    target.end().add(() -> call.answered.set(true));
    if (RequestBody.belongsTo(target.request())) {
      call.body = RequestBody.of(target.request(), target.end(), () -> call.allot(services.most()));
    } else {
      call.allot(services.most());
    }
    return call;
  }

  /** The call of a request that {@link RequestReceiver} has let in. */
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

  private void allot(Duration time) {
    long timer =
        services.vertx().setTimer(Math.max(1, time.toMillis()), late -> answerThatTimeIsOver());
    target.end().add(() -> services.vertx().cancelTimer(timer));
  }

  private void answerThatTimeIsOver() {
    if (answered.compareAndSet(false, true)) {
      Thread running = worker;
      if (running != null) {
        running.interrupt();
      }
      ApiException error =
          new ApiException(
              Reason.TIMEOUT, "Timeout: request did not complete within the allotted timeout");
      services.responses().write(target, services.errors().answer(request, error));
    }
  }

  /**
   * The answer of a filter chain; the chain itself turns errors into Status, so what escapes it is
   * a defect of this program.
   *
   * @param info what the request is about
   */
  @SuppressWarnings("CatchingUnchecked")
  public ApiResponse run(RequestInfo info, RequestHandler chain) {
    worker = Thread.currentThread();
    try {
      RequestBody sent = body;
      ApiRequest complete = sent == null ? request : request.withBody(sent.await());
      Duration asked = RequestDeadline.of(request, info, services.most());
      if (asked.compareTo(services.most()) < 0) {
        target.context().runOnContext(onLoop -> allot(asked));
      }
      return chain.answer(new Exchange(complete, info, services.errors().nobody(complete)));
    } catch (RequestBody.TooLargeException e) {
      boolean closing = target.request().version() != HttpVersion.HTTP_2;
      ApiResponse answer = failed(e.error());
      return closing ? answer.with("Connection", "close") : answer;
    } catch (Exception e) {
      return failed(e);
    } catch (StackOverflowError | OutOfMemoryError e) {
      return failed(new IllegalStateException("the request exhausted the thread", e));
    } finally {
      worker = null;
    }
  }

  /** The answer to a request that ended with {@code error}. */
  public ApiResponse failed(Exception error) {
    return services.errors().answer(request, error);
  }

  /** Sends the answer unless the time is over; returns when a streamed body has been sent. */
  public void send(ApiResponse answer) {
    if (answer.body() instanceof Body.Streamed streamed) {
      if (answered.compareAndSet(false, true)) {
        new StreamedResponse(target.request().response(), target.context(), target.end())
            .send(answer, streamed);
      }
      return;
    }
    target.context().runOnContext(onLoop -> write(answer));
  }

  private void write(ApiResponse answer) {
    if (answered.compareAndSet(false, true)) {
      services.responses().write(target, answer);
    } else if (answer.body() instanceof Body.LongRunning live) {
      live.abandon();
    }
  }
}
