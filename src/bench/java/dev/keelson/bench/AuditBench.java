package dev.keelson.bench;

import dev.keelson.audit.AuditMetrics;
import dev.keelson.audit.AuditMode;
import dev.keelson.audit.Auditor;
import dev.keelson.audit.EventSink;
import dev.keelson.audit.Route;
import dev.keelson.audit.delivery.BatchOptions;
import dev.keelson.audit.delivery.BatchSink;
import dev.keelson.audit.delivery.GroupCommitSink;
import dev.keelson.audit.event.Level;
import dev.keelson.audit.log.LogFileOptions;
import dev.keelson.audit.log.LogFormat;
import dev.keelson.audit.log.LogWriter;
import dev.keelson.audit.log.RotatingFile;
import dev.keelson.audit.policy.PolicyReader;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.Exchange;
import dev.keelson.http.Query;
import dev.keelson.http.RequestContent;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.audit.AuditFilter;
import dev.keelson.http.audit.AuditParts;
import dev.keelson.http.audit.BodyJson;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Measures what the audit log adds to the processor time of a request: that of the whole process
 * with the audit's stage in the chain, less that of the same chain without it. The policies are of
 * one rule and omit the stage RequestReceived; the median of five rounds is compared. The limits
 * are 10 microseconds at level Metadata and 20 at RequestResponse, and 1 at None.
 *
 * <p>The argument is the number of requests of a measurement, 48,000 by default. Ends with status 1
 * when a limit is exceeded.
 */
public final class AuditBench {

  private static final List<String> METHODS = List.of("GET", "POST");
  private static final List<AuditMode> MODES = List.of(AuditMode.BLOCKING, AuditMode.BATCH);
  private static final int REQUESTS = 48_000;
  private static final int ROUNDS = 5;
  private static final int CLIENTS = 16;
  private static final int BODY = 1024;
  private static final Duration GRACE = Duration.ofMinutes(1);
  private static final UserInfo USER =
      new UserInfo(
          "system:serviceaccount:shop:ci-bot",
          "b7a3",
          List.of("system:serviceaccounts", "system:serviceaccounts:shop", "system:authenticated"),
          Map.of());
  private static final byte[] OBJECT =
      """
      {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"settings","namespace":"shop",\
      "uid":"0b9c5a4e-7a0c-4a55-9d53-5f4f0c8a0e1b","resourceVersion":"4711",\
      "creationTimestamp":"2026-03-01T00:00:00Z"},"data":{"text":"%s"}}\
      """
          .formatted("x".repeat(BODY))
          .getBytes(StandardCharsets.UTF_8);

  private final int requests;
  private final Path directory;

  private AuditBench(int requests, Path directory) {
    this.requests = requests;
    this.directory = directory;
  }

  /** Measures every level in both modes, and prints a line each. */
  public static void main(String... arguments) throws Exception {
    int requests = arguments.length == 0 ? REQUESTS : Integer.parseInt(arguments[0]);
    Path directory = Files.createTempDirectory("audit-bench");
    AuditBench bench = new AuditBench(requests, directory);
    bench.warmUp();
    boolean kept = true;
    for (String method : METHODS) {
      for (AuditMode mode : MODES) {
        kept &= bench.within(method, mode, Level.NONE, 1);
        kept &= bench.within(method, mode, Level.METADATA, 10);
        kept &= bench.within(method, mode, Level.REQUEST_RESPONSE, 20);
      }
    }
    Files.delete(directory);
    if (!kept) {
      System.exit(1);
    }
  }

  private void warmUp() throws Exception {
    for (int round = 0; round < 2; round++) {
      for (String method : METHODS) {
        for (AuditMode mode : MODES) {
          for (Level level : List.of(Level.NONE, Level.METADATA, Level.REQUEST_RESPONSE)) {
            double unused = micros(method, AuditBench::answer) + audited(method, mode, level);
          }
        }
      }
    }
  }

  private boolean within(String method, AuditMode mode, Level level, double limit)
      throws Exception {
    double[] added = new double[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      double without = micros(method, AuditBench::answer);
      added[round] = audited(method, mode, level) - without;
    }
    Arrays.sort(added);
    double median = added[ROUNDS / 2];
    System.out.printf(
        Locale.ROOT,
        "%-4s %-8s %-15s %6.2f us of CPU a request (limit %.0f)%n",
        method,
        mode.name().toLowerCase(Locale.ROOT),
        level.word(),
        median,
        limit);
    return median <= limit;
  }

  /** The processor time of a request whose events are in the file at the end. */
  private double audited(String method, AuditMode mode, Level level) throws Exception {
    Path file = directory.resolve("audit.log");
    EventSink sink = sink(mode, file);
    long begin = processNanos();
    sink.start();
    send(method, new AuditFilter(parts(level, sink), AuditBench::answer));
    sink.stop(GRACE);
    long spent = processNanos() - begin;
    Files.delete(file);
    return spent / 1e3 / requests;
  }

  private static EventSink sink(AuditMode mode, Path path) throws IOException {
    RotatingFile file =
        new RotatingFile(new LogFileOptions(path, 0, 1, 1000, false), Clock.systemUTC());
    file.open();
    LogWriter writer = new LogWriter(LogFormat.JSON, file);
    return mode == AuditMode.BATCH
        ? new BatchSink(
            writer,
            new BatchOptions(1_000_000, 1, Duration.ZERO, null),
            new BatchSink.Limits(1 << 20, 1 << 29, 1),
            Uncounted.METRICS)
        : new GroupCommitSink(writer, mode, Uncounted.METRICS);
  }

  private static AuditParts parts(Level level, EventSink sink) {
    String policy =
        "{apiVersion: audit.k8s.io/v1, kind: Policy, omitStages: [RequestReceived], rules: [{level:"
            + " "
            + level.word()
            + "}]}";
    Route route =
        new Route(
            PolicyReader.read(
                    ObjectReader.untypedYaml(policy.getBytes(StandardCharsets.UTF_8)), List.of())
                .policy(),
            sink);
    return new AuditParts(
        new Auditor(route, List::of, Uncounted.METRICS, Clock.systemUTC()),
        new BodyJson(kind -> Optional.empty()),
        new ErrorResponses(
            (request, code, status) ->
                ApiResponse.of(code, "application/json", ObjectWriter.json(status))),
        Runnable::run,
        Uncounted.METRICS,
        Clock.systemUTC());
  }

  private static ApiResponse answer(Exchange exchange) {
    exchange.context().annotate("authorization.k8s.io/decision", "allow");
    exchange
        .context()
        .annotate(
            "authorization.k8s.io/reason",
            "RBAC: allowed by RoleBinding \"ci/shop\" of Role \"ci\" to ServiceAccount"
                + " \"ci-bot/shop\"");
    if (exchange.request().method().equals("POST")) {
      return ApiResponse.of(201, "application/json", exchange.request().body());
    }
    return ApiResponse.of(200, "application/json", OBJECT);
  }

  private double micros(String method, RequestHandler handler)
      throws InterruptedException, ExecutionException {
    long begin = processNanos();
    send(method, handler);
    return (processNanos() - begin) / 1e3 / requests;
  }

  /** Sends from many clients at the same time. */
  private void send(String method, RequestHandler handler)
      throws InterruptedException, ExecutionException {
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<? extends Future<?>> all =
          IntStream.range(0, CLIENTS)
              .mapToObj(client -> clients.submit(() -> client(method, handler)))
              .toList();
      for (Future<?> each : all) {
        Object unused = each.get();
      }
    }
  }

  private void client(String method, RequestHandler handler) {
    for (int i = 0; i < requests / CLIENTS; i++) {
      ApiResponse answer = handler.answer(exchange(method));
      if (answer.status() >= 300) {
        throw new IllegalStateException("answered " + answer.status());
      }
    }
  }

  private static Exchange exchange(String method) {
    boolean create = method.equals("POST");
    String path = "/api/v1/namespaces/shop/configmaps" + (create ? "" : "/settings");
    ApiRequest request =
        new ApiRequest(
            method,
            path,
            Query.parse(""),
            Map.of(
                "content-type",
                List.of("application/json"),
                "user-agent",
                List.of("kubectl/v1.36.0 (linux/amd64) kubernetes/abcdef0")),
            RequestContent.of(create ? OBJECT : new byte[0]),
            List.of(),
            "10.0.0.1:4711",
            path,
            ApiRequest.HTTP_1);
    RequestContext context = new RequestContext(USER, "0b9c5a4e-7a0c-4a55-9d53-5f4f0c8a0e1b");
    context.received(Clock.systemUTC().instant());
    return new Exchange(request, RequestInfoResolver.parse(method, path, Map.of()), context);
  }

  private static long processNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Metrics cost the same with and without a log, and are left out. */
  private enum Uncounted implements AuditMetrics {
    METRICS;

    @Override
    public void event() {}

    @Override
    public void errors(String plugin, int count) {
      throw new IllegalStateException(plugin + " lost " + count + " events");
    }

    @Override
    public void level(Level level) {}

    @Override
    public void rejected() {}
  }
}
