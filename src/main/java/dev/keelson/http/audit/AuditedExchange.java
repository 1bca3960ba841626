package dev.keelson.http.audit;

import dev.keelson.audit.Acceptance;
import dev.keelson.audit.AuditedRequest;
import dev.keelson.audit.event.JsonDocument;
import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.ResponseStatus;
import dev.keelson.audit.event.Stage;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.Body;
import dev.keelson.http.Body.Payload;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestHandler;
import dev.keelson.request.Latencies;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestContext.Impersonation;
import dev.keelson.request.RequestInfo;
import dev.keelson.value.GoDuration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** One request that is recorded, from its answer to its last event. */
final class AuditedExchange {

  private static final String DECISION = "authorization.k8s.io/decision";
  private static final String LATENCY = "apiserver.latency.k8s.io/";

  /** Longer requests show how long they took. */
  private static final Duration SLOW = Duration.ofMillis(500);

  private static final String JSON = "application/json";
  private static final byte[] STATUS_HEAD =
      "{\"kind\":\"Status\",".getBytes(StandardCharsets.US_ASCII);

  private final AuditParts parts;
  private final Exchange exchange;
  private final AuditedRequest audited;
  private final Latencies latencies;

  AuditedExchange(AuditParts parts, Exchange exchange, AuditedRequest audited) {
    this.parts = parts;
    this.exchange = exchange;
    this.audited = audited;
    this.latencies = exchange.context().latencies();
  }

  /** Answers, with the events of the answer. */
  @SuppressWarnings("CatchingUnchecked")
  ApiResponse answer(RequestHandler next) {
    ApiResponse answer;
    try {
      answer = latencies.during(() -> next.answer(exchange));
    } catch (Exception e) {
      observe();
      answer = parts.errors().answer(exchange.request(), e);
      return ErrorResponses.isDefect(e) ? panicked(answer, e) : complete(answer, answer.payload());
    } catch (StackOverflowError | OutOfMemoryError e) {
      // the connection answers; this thread can still generate an event
      panicked(e.toString());
      throw e;
    }
    observe();
    return switch (answer.body()) {
      case Payload payload -> complete(answer, payload);
      case Body.Streamed streamed -> streamed(answer, streamed);
      case Body.LongRunning stream -> longRunning(answer, stream);
      case Body.Relayed relayed -> relayed(answer, relayed);
      case Body.Upgraded upgraded -> upgraded(answer, upgraded);
    };
  }

  /** Answers an error, with one event at {@code stage}. */
  @SuppressWarnings("CatchingUnchecked")
  ApiResponse answerAt(Stage stage, RequestHandler next) {
    ApiResponse answer;
    try {
      answer = next.answer(exchange);
    } catch (Exception e) {
      answer = parts.errors().answer(exchange.request(), e);
    }
    responded(answer, answer.payload());
    return generated(stage, answer);
  }

  /** Takes over what the stages inside have found out about the request. */
  private void observe() {
    RequestContext context = exchange.context();
    Impersonation impersonation = context.impersonation();
    if (impersonation != null) {
      audited.impersonated(impersonation.user(), impersonation.constraint());
    }
    // who may not do it has sent no object as far as the API is concerned
    boolean allowed = "allow".equals(context.annotations().get(DECISION));
    ApiRequest request = exchange.request();
    if (allowed
        && request.content().taken()
        && request.body().length > 0
        && exchange.info() instanceof RequestInfo.Resource resource) {
      RequestBody body = new RequestBody(request, parts.bodies());
      switch (resource.verb()) {
        case CREATE, UPDATE -> audited.requestObject(body);
        case PATCH, DELETE, DELETE_COLLECTION -> audited.patch(body);
        case GET, LIST, WATCH, CONNECT -> {}
      }
    }
  }

  private ApiResponse complete(ApiResponse answer, Payload payload) {
    responded(answer, payload);
    if (Facts.isLongRunning(exchange.info())) {
      generate(Stage.RESPONSE_STARTED);
    }
    return generated(Stage.RESPONSE_COMPLETE, answer);
  }

  private ApiResponse panicked(ApiResponse answer, Exception defect) {
    audited.responded(failure(answer.status(), defect.toString()));
    return generated(Stage.PANIC, answer);
  }

  private static ResponseStatus failure(int code, String defect) {
    return ResponseStatus.of(code, "Failure", "APIServer panic'd: " + defect, "InternalError");
  }

  /** Records the outcome, and at level RequestResponse the object. */
  private void responded(ApiResponse answer, Payload payload) {
    boolean wanted = audited.level().atLeast(Level.REQUEST_RESPONSE);
    if (!wanted && answer.status() < 400 && !isStatus(payload)) {
      audited.responded(ResponseStatus.of(answer.status()));
      return;
    }
    byte[] json = parts.bodies().of(answer.header("Content-Type"), payload.toByteArray());
    audited.responded(status(answer.status(), json));
    if (wanted && exchange.info() instanceof RequestInfo.Resource) {
      audited.responseObject(new ResponseBody(JSON, json, parts.bodies()));
    }
  }

  /** Whether the body is a Status, as deletions and evictions answer. */
  private static boolean isStatus(Payload payload) {
    if (payload.slices().isEmpty()) {
      return false;
    }
    Payload.Slice first = payload.slices().getFirst();
    return first.length() >= STATUS_HEAD.length
        && Arrays.equals(
            first.array(),
            first.offset(),
            first.offset() + STATUS_HEAD.length,
            STATUS_HEAD,
            0,
            STATUS_HEAD.length);
  }

  private static ResponseStatus status(int code, byte[] json) {
    return JsonDocument.compact(json, JsonDocument.Omission.NOTHING)
        .map(compact -> ResponseStatus.of(code, compact))
        .orElseGet(() -> ResponseStatus.of(code));
  }

  private ApiResponse streamed(ApiResponse answer, Body.Streamed streamed) {
    audited.responded(ResponseStatus.of(answer.status()));
    boolean keeps =
        audited.level().atLeast(Level.REQUEST_RESPONSE)
            && exchange.info() instanceof RequestInfo.Resource;
    Body body =
        new AuditedStream(
            streamed,
            keeps,
            latencies,
            kept -> written(answer, kept),
            new BodyEnd(this::ended, this::later));
    return new ApiResponse(answer.status(), answer.headers(), body);
  }

  private ApiResponse relayed(ApiResponse answer, Body.Relayed relayed) {
    audited.responded(ResponseStatus.of(answer.status()));
    if (Facts.isLongRunning(exchange.info())
        && generate(Stage.RESPONSE_STARTED) == Acceptance.REFUSED) {
      relayed.abandon();
      return refused();
    }
    Body body = new EndingRelay(relayed, new BodyEnd(this::relayEnded, this::later));
    return new ApiResponse(answer.status(), answer.headers(), body);
  }

  private void relayEnded(@Nullable Throwable defect) {
    boolean isLog =
        exchange.info() instanceof RequestInfo.Resource info && info.subresource().equals("log");
    if (defect == null || isLog) {
      ended(null);
    } else {
      // kube-apiserver's proxy aborts its handler when either side breaks off
      panicked("net/http: abort Handler");
    }
  }

  private void written(ApiResponse answer, byte[] body) {
    if (body.length == 0) {
      exchange.context().annotate("audit.k8s.io/truncated", "true");
    }
    audited.responseObject(new ResponseBody(answer.header("Content-Type"), body, parts.bodies()));
  }

  private ApiResponse upgraded(ApiResponse answer, Body.Upgraded upgraded) {
    audited.responded(ResponseStatus.of(answer.status()));
    if (Facts.isLongRunning(exchange.info())
        && generate(Stage.RESPONSE_STARTED) == Acceptance.REFUSED) {
      upgraded.abandon();
      return refused();
    }
    Body body = new EndingUpgrade(upgraded, new BodyEnd(this::ended, this::later));
    return new ApiResponse(answer.status(), answer.headers(), body);
  }

  private ApiResponse longRunning(ApiResponse answer, Body.LongRunning stream) {
    audited.responded(ResponseStatus.of(answer.status()));
    if (generate(Stage.RESPONSE_STARTED) == Acceptance.REFUSED) {
      stream.abandon();
      return refused();
    }
    return new ApiResponse(
        answer.status(),
        answer.headers(),
        new EndingLongRunning(stream, new BodyEnd(this::ended, this::later)));
  }

  private void ended(@Nullable Throwable defect) {
    if (defect == null) {
      generate(Stage.RESPONSE_COMPLETE);
    } else {
      panicked(defect.toString());
    }
  }

  private void panicked(String defect) {
    audited.responded(failure(500, defect));
    generate(Stage.PANIC);
  }

  /** Generates an event of a body that ends on an event loop, which must not block. */
  private void later(Runnable event) {
    try {
      parts.completions().execute(event);
    } catch (RejectedExecutionException e) {
      parts.metrics().errors("audit", 1);
    }
  }

  private ApiResponse generated(Stage stage, ApiResponse answer) {
    return generate(stage) == Acceptance.REFUSED ? refused() : answer;
  }

  private Acceptance generate(Stage stage) {
    if (stage == Stage.RESPONSE_COMPLETE) {
      annotateLatency();
    }
    return audited.stage(stage, exchange.context().annotations());
  }

  private void annotateLatency() {
    Instant received = exchange.context().received();
    if (received == null) {
      return;
    }
    Duration took = Duration.between(received, parts.clock().instant());
    if (took.compareTo(SLOW) > 0) {
      annotateLatency("total", took.toNanos());
      latencies.forEach((layer, nanos) -> annotateLatency(layer.word(), nanos));
    }
  }

  private void annotateLatency(String word, long nanos) {
    exchange.context().annotate(LATENCY + word, new GoDuration(nanos).toString());
  }

  private ApiResponse refused() {
    parts.metrics().rejected();
    return parts.errors().answer(exchange.request(), AuditParts.notStored());
  }
}
