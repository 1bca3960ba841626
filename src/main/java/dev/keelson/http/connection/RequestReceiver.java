package dev.keelson.http.connection;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.RequestInfoResolver;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;

/**
 * Takes requests from the HTTP server, on the event loop, and hands them to the JAX-RS resources.
 * What JAX-RS would change or answer itself is answered here, by the same chain.
 */
public final class RequestReceiver {

  private final ExecutorService threads;
  private final RequestHandler unmatched;
  private final ErrorResponses errors;
  private final Responses responses;
  private final Call.Services services;

  /**
   * @param threads runs each request on a (virtual) thread of its own
   * @param unmatched answers what no JAX-RS resource is asked for
   * @param timeout how long a request may take before it is answered with 504
   */
  public RequestReceiver(
      Vertx vertx,
      ExecutorService threads,
      RequestHandler unmatched,
      ErrorResponses errors,
      Duration timeout) {
    this.threads = threads;
    this.unmatched = unmatched;
    this.errors = errors;
    this.responses = new Responses(vertx);
    this.services = new Call.Services(vertx, responses, errors, timeout);
  }

  /**
   * Takes a request and hands it to the next route, or answers it.
   *
   * @param onEnd is run once, when the request is over
   */
  public void handle(RoutingContext routing, Runnable onEnd) {
    HttpServerRequest request = routing.request();
    TlsRecordBuffers.pool(request.connection());
    RequestCompletion end = new RequestCompletion();
    end.add(onEnd);
    // not the response's own handlers: it has one place for each, which the routing context holds
    routing.addEndHandler(ended -> end.fire());
    Responses.Target target =
        new Responses.Target(request, services.vertx().getOrCreateContext(), end);
    ApiRequest read;
    try {
      read = RequestReader.read(request);
    } catch (ApiException | IllegalArgumentException e) {
      ApiException error =
          e instanceof ApiException api
              ? api
              : new ApiException(
                  Reason.BAD_REQUEST, "the path has a malformed escape", ErrorDetails.NONE, e);
      responses.write(target, errors.answer(RequestReader.withoutPath(request), error));
      return;
    }
    Call call = Call.begin(routing, read, target, services);
    if (JaxRsCompatible.is(read.method(), request.path(), read.path())) {
      // the framework must not negotiate; what the header says has been read
      request.headers().remove(HttpHeaders.ACCEPT);
      routing.next();
    } else {
      answerUnmatched(call, call::send);
    }
    // the framework holds it back, for a reader that never comes; a handshake reads to the end
    // itself
    if (Responses.asksForWebSocket(request)) {
      end.add(() -> resume(request));
    } else {
      resume(request);
    }
  }

  private static void resume(HttpServerRequest request) {
    if (!request.isEnded()) {
      request.resume();
    }
  }

  /** Ends every live body in an orderly way; they tell their clients what they can. */
  public void endLive() {
    responses.endLive();
  }

  /**
   * Answers a request that no JAX-RS resource is for, on a thread of its own.
   *
   * @param to takes the answer
   */
  public void answerUnmatched(Call call, Consumer<ApiResponse> to) {
    threads.execute(() -> to.accept(unmatched(call)));
  }

  /** The answer to a request that no JAX-RS resource is for. */
  public ApiResponse unmatched(Call call) {
    ApiRequest request = call.request();
    return call.run(
        RequestInfoResolver.parse(request.method(), request.path(), request.query().firsts()),
        unmatched);
  }
}
