package dev.keelson.http.loopback;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.client.rest.StatusErrors;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.RequestContent;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.Deadline;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the filter chain of the same process as one user, on the thread of the caller.
 * The chain begins behind authentication: authorization, admission and audit are those of every
 * client.
 */
public final class LoopbackTransport implements ApiTransport {

  /** As in the audit log of a client on the same machine. */
  private static final String ADDRESS = "127.0.0.1";

  private final RequestHandler chain;
  private final UserInfo user;
  private final String userAgent;
  private final Duration timeout;
  private final Supplier<UUID> auditIds;

  /**
   * A transport.
   *
   * @param chain the filters behind authentication, around the verbs
   * @param user who sends the requests
   * @param userAgent the name of the client in the audit log
   * @param timeout the time of a request that is no watch
   */
  public LoopbackTransport(
      RequestHandler chain,
      UserInfo user,
      String userAgent,
      Duration timeout,
      Supplier<UUID> auditIds) {
    this.chain = chain;
    this.user = user;
    this.userAgent = userAgent;
    this.timeout = timeout;
    this.auditIds = auditIds;
  }

  @Override
  public Answer send(Request request) throws IOException, InterruptedException {
    return send(request, timeout);
  }

  @Override
  public Answer send(Request request, TimeLimit limit) throws IOException, InterruptedException {
    Duration left = limit.remaining();
    if (left.compareTo(timeout) >= 0) {
      return send(request, timeout);
    }
    // an interrupt withdraws a write that the store has not begun
    FutureTask<Answer> task = new FutureTask<>(() -> send(request, left));
    Thread unused = Thread.ofVirtual().name("limited-request").start(task);
    try {
      return task.get(left.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IOException("no response within " + left, e);
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    } finally {
      boolean unused2 = task.cancel(/* mayInterruptIfRunning= */ true);
    }
  }

  private static IOException failure(@Nullable Throwable cause) {
    return switch (cause) {
      case IOException broken -> broken;
      case RuntimeException defect -> throw defect;
      case Error error -> throw error;
      case null, default -> new IOException(cause);
    };
  }

  private Answer send(Request request, Duration longest) throws IOException, InterruptedException {
    ApiResponse response = answer(request, Deadline.in(longest));
    return switch (response.body()) {
      case Payload whole -> new Answer(response.status(), whole.toByteArray());
      case Body.Streamed streamed -> new Answer(response.status(), collect(streamed));
      case Body.Relayed relayed -> new Answer(response.status(), collect(relayed));
      case Body.LongRunning live -> {
        live.abandon();
        throw new IllegalArgumentException("the request is a watch: " + request.path());
      }
      case Body.Upgraded upgraded -> {
        upgraded.abandon();
        throw new IllegalArgumentException("the request changes protocols: " + request.path());
      }
    };
  }

  @Override
  public EventStream watch(Request request) throws IOException, InterruptedException {
    ApiResponse response = answer(request, Deadline.none());
    if (response.body() instanceof Body.LongRunning live) {
      return LoopbackEvents.of(live);
    }
    if (response.body() instanceof Payload whole && response.status() >= 400) {
      throw StatusErrors.of(new Answer(response.status(), whole.toByteArray()));
    }
    throw new ApiException(
        Reason.NOT_ACCEPTABLE, "the answer is not a stream of events: " + request.path());
  }

  private ApiResponse answer(Request request, Deadline deadline) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    ApiRequest received = received(request);
    RequestContext context = new RequestContext(user, auditIds.get().toString());
    context.answerBy(deadline);
    return chain.answer(
        new Exchange(
            received,
            RequestInfoResolver.parse(request.method(), request.path(), received.query().firsts()),
            context));
  }

  private ApiRequest received(Request request) {
    Map<String, List<String>> query = new LinkedHashMap<>();
    StringBuilder uri = new StringBuilder(request.path());
    request
        .query()
        .forEach(
            (name, value) -> {
              uri.append(query.isEmpty() ? '?' : '&').append(name).append('=');
              uri.append(URLEncoder.encode(value, StandardCharsets.UTF_8));
              query.put(name, List.of(value));
            });
    Map<String, List<String>> headers =
        request.contentType().isEmpty()
            ? Map.of("accept", List.of(request.accept()), "user-agent", List.of(userAgent))
            : Map.of(
                "accept", List.of(request.accept()),
                "user-agent", List.of(userAgent),
                "content-type", List.of(request.contentType()));
    return new ApiRequest(
        request.method(),
        request.path(),
        new Query(query),
        headers,
        RequestContent.of(request.body()),
        List.of(),
        ADDRESS,
        uri.toString(),
        ApiRequest.HTTP_1);
  }

  private static byte[] collect(Body.Streamed streamed) throws InterruptedException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    streamed.writeTo(part -> append(whole, part));
    return whole.toByteArray();
  }

  private static byte[] collect(Body.Relayed relayed) throws InterruptedException {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    relayed.writeTo(part -> append(whole, part));
    return whole.toByteArray();
  }

  private static void append(ByteArrayOutputStream whole, Payload part) {
    for (Payload.Slice slice : part.slices()) {
      whole.write(slice.array(), slice.offset(), slice.length());
    }
  }
}
