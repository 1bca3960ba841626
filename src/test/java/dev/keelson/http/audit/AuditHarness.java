package dev.keelson.http.audit;

import dev.keelson.audit.Acceptance;
import dev.keelson.audit.AuditConfig;
import dev.keelson.audit.Auditor;
import dev.keelson.audit.CountedMetrics;
import dev.keelson.audit.EventSink;
import dev.keelson.audit.Route;
import dev.keelson.audit.event.Event;
import dev.keelson.audit.event.Level;
import dev.keelson.audit.event.Stage;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.RequestContent;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.testing.ManualClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** The filter with a sink that keeps its events. */
abstract class AuditHarness {

  static final UserInfo ALICE =
      new UserInfo("alice", "", List.of("system:authenticated"), Map.of());

  final ManualClock clock = new ManualClock();
  final CountedMetrics metrics = new CountedMetrics();
  final Recorder sink = new Recorder();
  final ErrorResponses errors =
      new ErrorResponses(
          (request, code, status) ->
              ApiResponse.of(code, "application/json", ObjectWriter.json(status)));

  AuditFilter filter(Level level, dev.keelson.http.RequestHandler next) {
    return new AuditFilter(parts(level, Set.of()), next);
  }

  AuditParts parts(Level level, Set<Stage> omitted) {
    Route route = new Route((user, info) -> new AuditConfig(level, omitted, false), sink);
    return new AuditParts(
        new Auditor(route, List::of, metrics, clock),
        new BodyJson(kind -> Optional.empty()),
        errors,
        Runnable::run,
        metrics,
        clock);
  }

  static dev.keelson.http.RequestHandler allowed(ApiResponse answer) {
    return exchange -> {
      exchange.context().annotate("authorization.k8s.io/decision", "allow");
      return answer;
    };
  }

  static Exchange exchange(String method, String path, String query, String body) {
    Query parsed = Query.parse(query);
    ApiRequest request =
        new ApiRequest(
            method,
            path,
            parsed,
            Map.of(
                "content-type",
                List.of("application/json"),
                "user-agent",
                List.of("curl/8"),
                "x-forwarded-for",
                List.of("203.0.113.9")),
            RequestContent.of(body.getBytes(StandardCharsets.UTF_8)),
            List.of(),
            "10.0.0.1:4711",
            query.isEmpty() ? path : path + "?" + query,
            ApiRequest.HTTP_1);
    RequestContext context = new RequestContext(ALICE, "audit-1");
    context.received(Instant.parse("2030-01-02T03:04:05.678Z"));
    return new Exchange(request, RequestInfoResolver.parse(method, path, parsed.firsts()), context);
  }

  static final class Recorder implements EventSink {
    final List<Event> events = new CopyOnWriteArrayList<>();
    final List<Acceptance> answers = new CopyOnWriteArrayList<>();

    @Override
    public Acceptance accept(Event event) {
      events.add(event);
      return answers.isEmpty() ? Acceptance.ACCEPTED : answers.removeFirst();
    }

    List<Stage> stages() {
      return events.stream().map(event -> event.fields().stage()).toList();
    }

    String text(int number) {
      return new String(events.get(number).json(), StandardCharsets.UTF_8);
    }

    @Override
    public void start() {}

    @Override
    public void stop(Duration grace) {}
  }
}
