package dev.keelson.http.connection;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.http.Expectation;
import dev.keelson.http.RequestContent;
import dev.keelson.http.connection.limit.BodyBudget;
import dev.keelson.http.connection.limit.BudgetShare;
import dev.keelson.request.RequestContext;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request. The event loop reads a little of it with the head, and the rest when the
 * request's thread asks for it, after authentication, the in-flight limits and authorization: a
 * stranger cannot make the server keep more than {@link #UNASKED_BYTES} of a request. While the
 * thread waits, {@link #LEAST_BYTES} must come in each period, or the request ends with 408. A
 * client that expects 100 is sent it then, never before.
 *
 * <p>Confined to the event loop, except for {@link #bytes}, {@link #isComplete}, {@link #taken} and
 * {@link #endsConnection}.
 */
final class RequestBody implements RequestContent {

  /** Maximum size of a body in bytes, as in kube-apiserver. */
  static final int MAX_BYTES = 3 * 1024 * 1024;

  /** How much is read before anyone asks, so that a small body needs no second turn. */
  static final int UNASKED_BYTES = 64 * 1024;

  /**
   * How much of a body is thrown away after the response, and for how long: a client that sends
   * everything before it reads would not see the response if the connection ended before.
   */
  private static final int MOST_DRAINED = 16 * 1024 * 1024;

  private static final Duration DRAINED_FOR = Duration.ofSeconds(5);

  /** How much of a body that was asked for must come in each period, unless it ends in it. */
  static final int LEAST_BYTES = 10 * 1024;

  /** The status of a request that was not received in time (RFC 9110, section 15.5.9). */
  private static final int REQUEST_TIMEOUT = 408;

  private static final long NO_TIMER = -1;

  /** A connection does not wait for the rest of a longer body before the next request. */
  private static final int LONGEST_SKIPPED = 512 * 1024;

  private static final Logger LOG = Logger.getLogger(RequestBody.class);
  private static final Set<String> METHODS = Set.of("POST", "PUT", "PATCH", "DELETE");

  private final HttpServerRequest request;
  private final Context context;
  private final Vertx vertx;
  private final BodyBudget budget;
  private final Duration period;
  private final long declared;
  private final CompletableFuture<byte[]> bytes = new CompletableFuture<>();
  private Buffer collected = Buffer.buffer();
  private final BudgetShare share;
  private boolean paused;
  private boolean over;
  private int drained;

  /** The timer of the period; {@link #NO_TIMER} until somebody waits for the body. */
  private long timer = NO_TIMER;

  /** How much had been received when the period began. */
  private int before;

  private volatile boolean asked;

  /** Of the body that was returned; written and read by the request's thread. */
  private volatile long length;

  /** Whose body it is; owned by the request's thread, which sets it first. */
  private @Nullable RequestContext owner;

  /** The turn of a large body; owned by the request's thread. */
  private int units;

  /**
   * The limits that all bodies share.
   *
   * @param budget the memory of all bodies
   * @param period how long {@link #LEAST_BYTES} of a body may take
   */
  record Limits(BodyBudget budget, Duration period) {}

  private RequestBody(Responses.Target target, Vertx vertx, Limits limits) {
    this.request = target.request();
    this.context = target.context();
    this.vertx = vertx;
    this.budget = limits.budget();
    this.period = limits.period();
    this.share = new BudgetShare(budget);
    this.declared = declaredLength(request);
  }

  /** Whether the body of a request is read. */
  static boolean belongsTo(HttpServerRequest request) {
    return METHODS.contains(request.method().name());
  }

  /** Starts to read a body. */
  static RequestBody of(Responses.Target target, Vertx vertx, Limits limits) {
    RequestBody body = new RequestBody(target, vertx, limits);
    target.end().add(body::end);
    body.begin();
    return body;
  }

  private void begin() {
    request.handler(this::collect);
    request.endHandler(ended -> complete());
    request.exceptionHandler(gone -> LOG.debugf("client went away while sending: %s", gone));
    if (declared > MAX_BYTES) {
      refuse(tooLarge());
    }
  }

  private void complete() {
    stopTimer();
    // the array is a second copy for a moment
    boolean unused = bytes.complete(collected.getBytes());
    collected = Buffer.buffer();
  }

  private void collect(Buffer chunk) {
    if (over) {
      drain(chunk.length());
    } else if (!bytes.isDone()) {
      add(chunk);
    }
  }

  private void add(Buffer chunk) {
    if (collected.length() + chunk.length() > MAX_BYTES) {
      refuse(tooLarge());
      return;
    }
    if (!share.take(chunk.length())) {
      refuse(tooMany());
      return;
    }
    collected.appendBuffer(chunk);
    if (!asked && collected.length() >= UNASKED_BYTES) {
      paused = true;
      request.pause();
    }
  }

  private static ApiException tooLarge() {
    return new ApiException(
        Reason.REQUEST_ENTITY_TOO_LARGE, "Request entity too large: limit is " + MAX_BYTES);
  }

  private static ApiException tooMany() {
    return new ApiException(
        Reason.TOO_MANY_REQUESTS,
        "too many request bodies are being received, please try again later",
        ErrorDetails.NONE.withRetryAfterSeconds(1),
        null);
  }

  private void refuse(ApiException why) {
    stopTimer();
    collected = Buffer.buffer();
    boolean unused = bytes.completeExceptionally(why);
  }

  private static long declaredLength(HttpServerRequest request) {
    String header = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    try {
      return header == null ? 0 : Long.parseLong(header);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Somebody waits for the body: it is not paused any more, and must come fast enough. */
  private void await() {
    resume();
    if (timer == NO_TIMER && !over && !bytes.isDone()) {
      Expectation.askForBody(request);
      beginPeriod();
    }
  }

  private void beginPeriod() {
    before = collected.length();
    timer = vertx.setTimer(period.toMillis(), passed -> endPeriod());
  }

  private void endPeriod() {
    timer = NO_TIMER;
    if (collected.length() - before >= LEAST_BYTES) {
      beginPeriod();
    } else {
      refuse(
          ApiException.ofStatus(
              REQUEST_TIMEOUT,
              Reason.TIMEOUT.word(),
              "the request body is sent too slowly: less than "
                  + LEAST_BYTES
                  + " bytes in "
                  + period.toSeconds()
                  + " seconds",
              ErrorDetails.NONE));
    }
  }

  private void stopTimer() {
    if (timer != NO_TIMER) {
      boolean unused = vertx.cancelTimer(timer);
      timer = NO_TIMER;
    }
  }

  /** The request is complete, or its client is gone. */
  private void end() {
    over = true;
    stopTimer();
    boolean unused = bytes.cancel(false);
    collected = Buffer.buffer();
    share.end();
    if (!request.isEnded()) {
      resume();
      long most = Math.min(DRAINED_FOR.toMillis(), period.toMillis());
      long cutter = vertx.setTimer(most, late -> cut());
      request.endHandler(ended -> vertx.cancelTimer(cutter));
    }
  }

  private void drain(int length) {
    drained += length;
    if (drained > MOST_DRAINED) {
      cut();
    }
  }

  /** Ends a request whose client goes on sending after the response. */
  private void cut() {
    if (request.isEnded()) {
      return;
    }
    if (request.version() == HttpVersion.HTTP_2) {
      // NO_ERROR: the response is complete without the rest of the request (RFC 9113, section 8.1)
      boolean unused = request.response().reset(0);
    } else {
      var unused = request.connection().close();
    }
  }

  private void resume() {
    if (paused) {
      paused = false;
      request.resume();
    }
  }

  /**
   * The body will be asked for in this context, whose user it then counts for.
   *
   * @param request the context, with its user by then
   */
  void isOf(RequestContext request) {
    owner = request;
  }

  private void claim() {
    RequestContext of = owner;
    boolean small = declared > 0 && declared <= BodyBudget.SMALL_BYTES;
    if (of != null && !share.claim(new BodyBudget.Owner(of.user().name(), small), bytes.isDone())) {
      ApiException why = tooMany();
      // nobody waits for the rest; it was complete otherwise
      boolean unused = bytes.completeExceptionally(why);
      throw why;
    }
  }

  /**
   * Waits until a request that has only a head is complete. Its end comes with the head, but after
   * this thread has started, which would claim room for a body of unknown length.
   */
  private void awaitEndOfHead() throws InterruptedException, ExecutionException {
    if (declared == 0 && !bytes.isDone()) {
      CompletableFuture<Boolean> turn = new CompletableFuture<>();
      context.runOnContext(onLoop -> turn.complete(true));
      boolean unused = turn.get();
    }
  }

  @Override
  public byte[] bytes() {
    asked = true;
    try {
      awaitEndOfHead();
      claim();
      if (!bytes.isDone()) {
        context.runOnContext(onLoop -> await());
      }
      byte[] whole = bytes.get();
      if (!share.hold()) {
        throw new CancellationException();
      }
      if (units == 0) {
        units = budget.await(whole.length);
      }
      length = whole.length;
      return whole;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ApiException refusal) {
        throw refusal;
      }
      throw new IllegalStateException(e);
    } catch (CancellationException e) {
      throw new ApiException(
          Reason.TIMEOUT,
          "the connection was closed before the request body was complete",
          ErrorDetails.NONE,
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(
          Reason.TIMEOUT, "timed out while reading the request body", ErrorDetails.NONE, e);
    }
  }

  /** The request has been handled, but for its response; on the request's thread. */
  void handled() {
    int turn = units;
    units = 0;
    budget.handled(turn);
    share.letGo();
  }

  @Override
  public boolean isComplete() {
    return bytes.isDone();
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public boolean taken() {
    return asked && bytes.isDone() && !bytes.isCompletedExceptionally();
  }

  /** Whether the connection ends after the response, since most of the body has not been read. */
  boolean endsConnection() {
    return request.version() != HttpVersion.HTTP_2
        && (bytes.isCompletedExceptionally() || (!bytes.isDone() && declared > LONGEST_SKIPPED));
  }
}
