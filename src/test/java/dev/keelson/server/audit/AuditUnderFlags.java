package dev.keelson.server.audit;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.audit.Acceptance;
import dev.keelson.audit.AuditedRequest;
import dev.keelson.audit.Events;
import dev.keelson.audit.ObjectSource;
import dev.keelson.audit.event.ObjectIdentity;
import dev.keelson.audit.event.Stage;
import dev.keelson.audit.trail.TrailException;
import dev.keelson.audit.trail.TrailQuery;
import dev.keelson.audit.trail.TrailStore;
import dev.keelson.config.Flags;
import dev.keelson.config.option.AuditOptions;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.audit.BodyJson;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.testing.ManualClock;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The audit of a server as flags say, without the server. Its clock stands still. */
final class AuditUnderFlags implements AutoCloseable {

  private static final RequestInfo CREATE =
      RequestInfoResolver.parse("POST", "/api/v1/namespaces/ns/pods", Map.of());
  private static final UserInfo ALICE = new UserInfo("alice", "", List.of("devs"), Map.of());

  private final ManualClock clock = new ManualClock();

  /** How often AuditSinks were asked for. */
  final AtomicInteger sinksAskedFor = new AtomicInteger();

  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final FileReloader files = new FileReloader();
  private final Vertx vertx = Vertx.vertx();
  private final Auditing auditing;

  /** A request body of some length. */
  private record Body(int length) implements ObjectSource {

    @Override
    public byte[] json() {
      return ("{\"data\":\"" + "x".repeat(length) + "\"}").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public ObjectIdentity identity() {
      return new ObjectIdentity("p", "ns", "", "");
    }
  }

  /** A body. */
  private record Text(String text) implements ObjectSource {

    @Override
    public byte[] json() {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public ObjectIdentity identity() {
      return ObjectIdentity.NONE;
    }
  }

  /**
   * Starts the audit.
   *
   * @param data holds the spool of the trail
   * @param later how long after the begin of the clock
   */
  AuditUnderFlags(Path data, Duration later, List<String> flags) {
    clock.advance(later);
    Flags.Wish.Run run = (Flags.Wish.Run) new Flags().read(flags, Map.of());
    AuditOptions options = Objects.requireNonNull(run.options().audit());
    DynamicSinks.Parts dynamic =
        new DynamicSinks.Parts(
            () -> {
              int unused = sinksAskedFor.incrementAndGet();
              throw new ApiException(Reason.INTERNAL_ERROR, "no store in this test");
            },
            () -> {
              throw new IllegalStateException("no sink to call");
            });
    auditing =
        BackEnds.start(
            options,
            data,
            vertx,
            files,
            new BodyJson(kind -> Optional.empty()),
            new ErrorResponses(
                (request, code, status) ->
                    ApiResponse.of(code, "application/json", ObjectWriter.json(status))),
            meters,
            options.dynamic() ? dynamic : null,
            clock);
  }

  /** As the process of a server does when it is ready. */
  void reopenOnHangUp() {
    auditing.reopenOnHangUp();
  }

  /** Records a request with a body of some length at its last stage. */
  Acceptance request(String auditId, int body) {
    AuditedRequest request =
        Objects.requireNonNull(auditing.parts())
            .auditor()
            .begin(ALICE, CREATE, () -> Events.facts(auditId));
    if (request == null) {
      return Acceptance.ACCEPTED;
    }
    request.requestObject(new Body(body));
    return request.stage(Stage.RESPONSE_COMPLETE, Map.of());
  }

  /**
   * Records a request at its last stage.
   *
   * @param body the request object, which is answered as well
   */
  Acceptance request(String auditId, String method, String path, String body) {
    RequestInfo info = RequestInfoResolver.parse(method, path, Map.of());
    AuditedRequest request =
        Objects.requireNonNull(
            Objects.requireNonNull(auditing.parts())
                .auditor()
                .begin(ALICE, info, () -> Events.facts(auditId)));
    request.requestObject(new Text(body));
    request.responseObject(new Text(body));
    return request.stage(Stage.RESPONSE_COMPLETE, Map.of());
  }

  Acceptance request(String auditId) {
    return request(auditId, 10);
  }

  /** How many events a plug-in has lost. */
  int lost(String plugin) {
    Counter counter = meters.find("apiserver_audit_error_total").tag("plugin", plugin).counter();
    return counter == null ? 0 : (int) counter.count();
  }

  /** The events of the trail, newest first. */
  List<String> trail() {
    try {
      return store().search(TrailQuery.ALL, TrailStore.NEWEST, 100).stream()
          .map(entry -> new String(entry.json(), StandardCharsets.UTF_8))
          .toList();
    } catch (TrailException e) {
      throw new IllegalStateException(e);
    }
  }

  TrailStore store() {
    return Objects.requireNonNull(auditing.trail());
  }

  @Override
  public void close() {
    auditing.close();
    files.close();
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
