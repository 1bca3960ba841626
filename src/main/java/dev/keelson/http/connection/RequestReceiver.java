package dev.keelson.http.connection;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.connection.limit.BodyBudget;
import dev.keelson.request.RequestInfoResolver;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.ext.web.RoutingContext;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Receives requests from the HTTP server on the event loop and passes them to the JAX-RS resources.
 * Requests that JAX-RS would change or answer itself are handled here by the same filter chain.
 */
public final class RequestReceiver {

  private final ExecutorService threads;
  private final Consumer<RoutingContext> resources;
  private final RequestHandler unmatched;
  private final ErrorResponses errors;
  private final Responses responses;
  private final Call.Services services;
  private final Duration idle;
  private final DateHeader date;
  private final Delegation delegation;
  private final Set<Delegation.Passage> passages = ConcurrentHashMap.newKeySet();
  private final UnaryOperator<RequestHandler> filters;
  private final ForwardedAddresses forwarded;
  private final Traffic traffic;

  /**
   * What connections are limited to.
   *
   * @param bytesPerSecond the bytes a second that the long-running requests of a connection send
   *     together, and receive after a switch of protocols; 0 for no limit
   * @param goAway decides for each request of HTTP/2 whether its client is told to open another
   *     connection; called on event loops
   */
  public record Traffic(long bytesPerSecond, BooleanSupplier goAway) {

    /** No limit. */
    public static final Traffic UNLIMITED = new Traffic(0, () -> false);
  }

  /**
   * How long clients may take.
   *
   * @param request the maximum duration of a request before the client gets 504
   * @param idle how long a connection may be without a request
   * @param bodyPeriod how long 10 KiB of a body may take that the server waits for; 408 beyond it
   */
  public record Times(Duration request, Duration idle, Duration bodyPeriod) {

    private static final Duration BODY_PERIOD = Duration.ofSeconds(10);

    /** With ten seconds for 10 KiB of a body. */
    public Times(Duration request, Duration idle) {
      this(request, idle, BODY_PERIOD);
    }
  }

  /**
   * @param threads runs each request on its own virtual thread
   * @param resources matches a request with a JAX-RS resource
   * @param unmatched handles requests without a JAX-RS resource
   * @param delegation finds requests that another server answers
   * @param filters puts the filter chain around their handlers
   * @param clock the time in the Date header
   * @param forwarded whose X-Forwarded-For is believed
   * @param traffic what connections are limited to
   */
  public RequestReceiver(
      Vertx vertx,
      ExecutorService threads,
      Consumer<RoutingContext> resources,
      RequestHandler unmatched,
      ErrorResponses errors,
      Times times,
      Delegation delegation,
      UnaryOperator<RequestHandler> filters,
      InstantSource clock,
      ForwardedAddresses forwarded,
      Traffic traffic) {
    this(
        vertx,
        threads,
        resources,
        unmatched,
        errors,
        times,
        delegation,
        filters,
        clock,
        forwarded,
        traffic,
        BodyBudget.ofMemory());
  }

  /**
   * @param bodies the memory of all bodies
   */
  RequestReceiver(
      Vertx vertx,
      ExecutorService threads,
      Consumer<RoutingContext> resources,
      RequestHandler unmatched,
      ErrorResponses errors,
      Times times,
      Delegation delegation,
      UnaryOperator<RequestHandler> filters,
      InstantSource clock,
      ForwardedAddresses forwarded,
      Traffic traffic,
      BodyBudget bodies) {
    this.delegation = delegation;
    this.filters = filters;
    this.forwarded = forwarded;
    this.traffic = traffic;
    this.threads = threads;
    this.resources = resources;
    this.unmatched = unmatched;
    this.errors = errors;
    this.idle = times.idle();
    this.date = new DateHeader(clock);
    ResponseHead head = new ResponseHead(date);
    this.responses = new Responses(vertx, head);
    this.services =
        new Call.Services(
            vertx,
            threads,
            responses,
            head,
            new PartsUnderWay(),
            errors,
            times.request(),
            new RequestBody.Limits(bodies, times.bodyPeriod()));
  }

  /**
   * Passes a request to the JAX-RS resources, or handles it.
   *
   * @param onEnd runs once, when the request is complete
   */
  public void handle(RoutingContext routing, Runnable onEnd) {
    HttpServerRequest request = routing.request();
    TlsRecords.pool(request.connection());
    Responses.Target target = target(routing, onEnd);
    ApiRequest read;
    try {
      read =
          forwarded.believed(
              RequestReader.read(request), request.remoteAddress().hostAddress(), request.isSSL());
    } catch (ApiException | IllegalArgumentException e) {
      ApiException error =
          e instanceof ApiException api
              ? api
              : new ApiException(
                  Reason.BAD_REQUEST, "the path has a malformed escape", ErrorDetails.NONE, e);
      responses.write(target, errors.answer(RequestReader.withoutPath(request), error));
      return;
    }
    Delegation.Passage passage = delegation.passage(read, request, target.context());
    if (passage != null) {
      pass(read, target, passage);
      return;
    }
    Call call = Call.begin(routing, read, target, services);
    if (JaxRsCompatible.is(read.method(), request.path(), read.path())) {
      // prevents content negotiation by the framework; the header has been read
      request.headers().remove(HttpHeaders.ACCEPT);
      resources.accept(routing);
    } else {
      answerUnmatched(call, call::send);
    }
    // the framework paused the request for a reader; a WebSocket handshake reads to the end itself
    if (Responses.asksForWebSocket(request)) {
      target.end().add(() -> resume(request));
    } else {
      resume(request);
    }
  }

  /** A request has begun. */
  private Responses.Target target(RoutingContext routing, Runnable onEnd) {
    HttpServerRequest request = routing.request();
    RequestCompletion end = new RequestCompletion();
    end.add(onEnd);
    ConnectionTimes connection = ConnectionTimes.of(request.connection());
    if (connection != null) {
      connection.began(request);
      if (request.version() == HttpVersion.HTTP_2 && traffic.goAway.getAsBoolean()) {
        connection.goAway();
      }
      end.add(() -> connection.ended(idle));
    }
    // not the response's own handlers: there is one of each, which the routing context has set
    routing.addEndHandler(ended -> end.fire());
    return new Responses.Target(
        request,
        services.vertx().getOrCreateContext(),
        end,
        connection == null ? null : connection.unread(),
        connection == null || traffic.bytesPerSecond == 0
            ? null
            : connection.rate(traffic.bytesPerSecond));
  }

  /** Passes a request through the filter chain to another server. */
  private void pass(ApiRequest read, Responses.Target target, Delegation.Passage passage) {
    // the passage begins to read when the filters have let it pass
    target.request().pause();
    Call call = Call.beginUnread(read, target, services, passage.isLimited());
    passages.add(passage);
    target
        .end()
        .add(
            () -> {
              passages.remove(passage);
              passage.end();
            });
    threads.execute(
        () -> {
          ApiResponse answer =
              call.run(
                  RequestInfoResolver.parse(read.method(), read.path(), read.query().firsts()),
                  filters.apply(passage));
          target
              .context()
              .runOnContext(
                  onLoop -> {
                    if (!passage.takesBody()) {
                      resume(target.request());
                    }
                  });
          call.send(answer);
        });
  }

  private static void resume(HttpServerRequest request) {
    if (!request.isEnded()) {
      request.resume();
    }
  }

  /**
   * Refuses a request that arrives while the server stops, and with it its connection: it is closed
   * when its other requests are complete.
   */
  public void refuseWhileStopping(RoutingContext routing, ApiException why) {
    HttpServerRequest request = routing.request();
    Responses.Target target = target(routing, () -> {});
    ConnectionTimes connection = ConnectionTimes.of(request.connection());
    ApiResponse answer;
    try {
      answer = errors.answer(RequestReader.read(request), why);
    } catch (ApiException | IllegalArgumentException e) {
      answer = errors.answer(RequestReader.withoutPath(request), why);
    }
    if (request.version() != HttpVersion.HTTP_2) {
      answer = answer.with("Connection", "close");
    } else if (connection != null) {
      connection.goAway();
    }
    responses.write(target, answer);
    resume(request);
  }

  /**
   * Ends all long-running responses gracefully.
   *
   * @param over the time over which watches end, if they are many; zero for at once
   */
  public void endLongRunning(Duration over) {
    responses.endLongRunning(over);
    passages.forEach(Delegation.Passage::shutDown);
  }

  /**
   * Handles a request without a JAX-RS resource on its own thread.
   *
   * @param to takes the response
   */
  public void answerUnmatched(Call call, Consumer<ApiResponse> to) {
    threads.execute(() -> to.accept(unmatched(call)));
  }

  /** Handles a request without a JAX-RS resource. */
  public ApiResponse unmatched(Call call) {
    ApiRequest request = call.request();
    return call.run(
        RequestInfoResolver.parse(request.method(), request.path(), request.query().firsts()),
        unmatched);
  }
}
