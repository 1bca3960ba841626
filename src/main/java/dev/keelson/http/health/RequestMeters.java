package dev.keelson.http.health;

import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestContent;
import dev.keelson.http.RequestMetrics;
import dev.keelson.request.Latencies;
import dev.keelson.request.LongRunning;
import dev.keelson.request.RequestContext;
import dev.keelson.request.RequestContext.Refuser;
import dev.keelson.request.RequestInfo;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The meters of requests (source: apiserver, endpoints/metrics/metrics.go and filters/metrics.go).
 *
 * <p>Meters are looked up by small records instead of Micrometer tags, whose construction would
 * cost more than the update. Their number is bounded: see {@link RequestLabels}.
 */
public final class RequestMeters implements RequestMetrics {

  /** kube-apiserver's, and finer ones for an in-process store. */
  private static final Duration[] LATENCY =
      Buckets.seconds(
          0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5,
          6, 8, 10, 15, 20, 30, 45, 60);

  private static final Duration[] INDICATOR =
      Buckets.seconds(
          0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60);

  private static final Duration[] DECISION = Buckets.seconds(Buckets.exponential(0.001, 2, 15));

  private static final Duration[] FILTER =
      Buckets.seconds(0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30);

  /** kube-apiserver's, without the one for expired certificates, which is for 0 seconds. */
  private static final double[] EXPIRATION = {
    1800,
    3600,
    7200,
    21_600,
    43_200,
    86_400,
    172_800,
    345_600,
    604_800,
    2_592_000,
    7_776_000,
    15_552_000,
    31_104_000
  };

  private static final Duration[] IMPERSONATION =
      Buckets.seconds(Buckets.exponential(0.001, 2, 15));

  private static final int GATEWAY_TIMEOUT = 504;

  /** kube-apiserver waits so long for the handler of a request that has timed out. */
  private static final long LATE_NANOS = Duration.ofMinutes(5).toNanos();

  private static final double[] RESPONSE_BYTES = Buckets.exponential(1000, 10, 7);
  private static final double[] BODY_BYTES = Buckets.linear(50_000, 100_000, 31);

  /** Users that Kubernetes' metric names; all others share a label. */
  private static final Set<String> KNOWN_USERS =
      Set.of(
          "admin", "client", "kube_proxy", "kubelet", "system:serviceaccount:kube-system:default");

  private final MeterRegistry registry;
  private final RequestLabels.Source labels;
  private final InstantSource clock;
  private final Map<RequestLabels, Meters> requests = new ConcurrentHashMap<>();
  private final Map<RequestLabels, AtomicInteger> longRunning = new ConcurrentHashMap<>();
  private final Map<Terminated, Counter> terminations = new ConcurrentHashMap<>();
  private final Map<RequestLabels, Counter> aborts = new ConcurrentHashMap<>();
  private final Map<String, Timer> validations = new ConcurrentHashMap<>();
  private final Map<Sent, DistributionSummary> bodies = new ConcurrentHashMap<>();
  private final Map<String, Counted> decisions = new ConcurrentHashMap<>();
  private final Map<String, Counted> attempts = new ConcurrentHashMap<>();
  private final Map<Impersonated, Counted> impersonations = new ConcurrentHashMap<>();
  private final Map<Impersonated, Counted> impersonationChecks = new ConcurrentHashMap<>();
  private final Map<String, Counter> users = new ConcurrentHashMap<>();
  private final Map<String, Timer> filters = new ConcurrentHashMap<>();
  private final Set<Tags> requestedDeprecated = ConcurrentHashMap.newKeySet();
  private final DistributionSummary expirations;

  private record Terminated(RequestLabels about, Refuser component, int code) {}

  private record Sent(GroupResource resource, Verb verb) {}

  private record Counted(Counter number, Timer times) {

    void add(Duration took) {
      number.increment();
      times.record(took);
    }
  }

  private record Impersonated(String mode, boolean allowed) {}

  /**
   * The meters of the requests with the same labels.
   *
   * @param sizes null if the sizes of the responses are not recorded
   */
  private record Meters(
      Timer latency,
      Timer indicator,
      @Nullable DistributionSummary sizes,
      Map<Integer, Counter> codes) {}

  /**
   * @param labels computes the labels of a request
   * @param clock the time that the validity of certificates is compared with
   */
  public RequestMeters(Metrics metrics, RequestLabels.Source labels, InstantSource clock) {
    this.registry = metrics.registry();
    this.labels = labels;
    this.clock = clock;
    this.expirations =
        DistributionSummary.builder("apiserver_client_certificate_expiration_seconds")
            .description("Remaining time of the client certificates that requests present.")
            .serviceLevelObjectives(EXPIRATION)
            .register(registry);
  }

  @Override
  public Running begin(Exchange exchange) {
    RequestLabels about = labels.of(exchange);
    AtomicInteger running = null;
    if (LongRunning.is(exchange.info())) {
      running = longRunning.computeIfAbsent(about.withoutDryRun(), this::runningGauge);
      running.incrementAndGet();
    }
    return new Request(exchange, about, running);
  }

  private final class Request implements Running {
    private final Exchange exchange;
    private final RequestLabels about;
    private final @Nullable AtomicInteger running;

    /**
     * When the deadline passed without an answer, by {@link System#nanoTime}; null if it did not.
     */
    private volatile @Nullable Long timedOut;

    /** Whether the answer was cut; used by the event loop. */
    private boolean aborted;

    Request(Exchange exchange, RequestLabels about, @Nullable AtomicInteger running) {
      this.exchange = exchange;
      this.about = about;
      this.running = running;
    }

    @Override
    public void ended(int status, long nanos, long responseBytes) {
      if (running != null) {
        running.decrementAndGet();
      }
      Meters meters = requests.computeIfAbsent(about, RequestMeters.this::meters);
      meters.codes.computeIfAbsent(status, code -> counter(about, code)).increment();
      meters.latency.record(nanos, TimeUnit.NANOSECONDS);
      meters.indicator.record(
          Math.max(0, nanos - excluded(exchange.context().latencies())), TimeUnit.NANOSECONDS);
      validations
          .computeIfAbsent(RequestLabels.fieldValidation(exchange), RequestMeters.this::validation)
          .record(nanos, TimeUnit.NANOSECONDS);
      if (meters.sizes != null) {
        meters.sizes.record((double) responseBytes);
      }
      Refuser refuser = exchange.context().refuser();
      if (refuser != null) {
        terminated(refuser, status);
      }
      Long since = timedOut;
      if (since != null) {
        afterTimeout(System.nanoTime() - since);
      }
      recordBody();
      SlowRequests.ended(exchange, status, nanos, responseBytes);
      RequestContext.Deprecation deprecated = exchange.context().deprecated();
      if (deprecated != null && exchange.info() instanceof RequestInfo.Resource resource) {
        recordDeprecated(resource, deprecated);
      }
    }

    @Override
    public void timedOut() {
      timedOut = System.nanoTime();
      terminated(Refuser.APISERVER, GATEWAY_TIMEOUT);
    }

    @Override
    public void cut() {
      if (!aborted) {
        aborted = true;
        aborts.computeIfAbsent(about.withoutDryRun(), RequestMeters.this::abortsOf).increment();
      }
    }

    private void terminated(Refuser component, int code) {
      terminations
          .computeIfAbsent(
              new Terminated(about.withoutDryRun(), component, code),
              RequestMeters.this::terminationsOf)
          .increment();
    }

    private void recordBody() {
      RequestContent content = exchange.request().content();
      if (exchange.info() instanceof RequestInfo.Resource resource
          && writes(resource.verb())
          && !about.resource().equals(RequestLabels.OTHER)
          && content.taken()) {
        bodies
            .computeIfAbsent(
                new Sent(
                    new GroupResource(resource.gvr().group(), resource.resource()),
                    resource.verb()),
                RequestMeters.this::bodySizes)
            .record((double) content.length());
      }
    }
  }

  /** Whether somebody has asked for a version that will be removed, not how often. */
  private void recordDeprecated(
      RequestInfo.Resource resource, RequestContext.Deprecation deprecated) {
    Tags tags =
        Tags.of(
            "group",
            resource.groupVersion().group(),
            "version",
            resource.groupVersion().version(),
            "resource",
            resource.resource(),
            "subresource",
            resource.subresource(),
            "removed_release",
            deprecated.removedRelease());
    if (requestedDeprecated.add(tags)) {
      Gauge.builder("apiserver_requested_deprecated_apis", () -> 1)
          .description("Deprecated APIs that have been requested, with the release without them.")
          .tags(tags)
          .register(registry);
    }
  }

  private Counter terminationsOf(Terminated terminated) {
    String component = terminated.component.name().toLowerCase(Locale.ROOT);
    return Counter.builder("apiserver_request_terminations_total")
        .description("Requests that the server terminated in self-defence.")
        .tags(
            tags(terminated.about)
                .and("component", component, "code", Integer.toString(terminated.code)))
        .register(registry);
  }

  private Counter abortsOf(RequestLabels about) {
    return Counter.builder("apiserver_request_aborts_total")
        .description("Requests whose response the server cut, possibly for a timeout.")
        .tags(about(about))
        .register(registry);
  }

  /** Records how long the handler of a request went on after the client had got its 504. */
  private void afterTimeout(long nanos) {
    Counter.builder("apiserver_request_post_timeout_total")
        .description("Handlers that ended after the deadline of their request.")
        .tags("source", "timeout-handler", "status", nanos < LATE_NANOS ? "ok" : "pending")
        .register(registry)
        .increment();
  }

  /** The time of webhooks and of queues, which the service level indicator does not include. */
  private static long excluded(Latencies latencies) {
    return latencies.nanos(Latencies.Layer.MUTATING_WEBHOOK)
        + latencies.nanos(Latencies.Layer.VALIDATING_WEBHOOK)
        + latencies.nanos(Latencies.Layer.QUEUE_WAIT);
  }

  private static boolean writes(Verb verb) {
    return switch (verb) {
      case CREATE, UPDATE, PATCH, DELETE, DELETE_COLLECTION -> true;
      case GET, LIST, WATCH, CONNECT -> false;
    };
  }

  @Override
  public void authenticated(String result, String user, Duration took) {
    Counted counted = attempts.computeIfAbsent(result, this::attemptsWith);
    counted.number.increment();
    counted.times.record(took);
    filters.computeIfAbsent("authentication", this::filter).record(took);
    if (!user.isEmpty()) {
      users.computeIfAbsent(named(user), this::requestsOf).increment();
    }
  }

  /** Few names, since each is a series of its own. */
  private static String named(String user) {
    if (KNOWN_USERS.contains(user)) {
      return user;
    }
    return user.indexOf('@') >= 0 ? "email_id" : "other";
  }

  @Override
  public void certificate(Instant expiry) {
    expirations.record((double) Math.max(0, Duration.between(clock.instant(), expiry).toSeconds()));
  }

  @Override
  public void decided(String result, Duration took) {
    Counted counted = decisions.computeIfAbsent(result, this::decisionsOf);
    counted.number.increment();
    counted.times.record(took);
    filters.computeIfAbsent("authorization", this::filter).record(took);
  }

  @Override
  public void impersonated(String mode, Duration took) {
    impersonations
        .computeIfAbsent(
            new Impersonated(mode, !mode.isEmpty()),
            about -> impersonation("apiserver_impersonation_attempts", "Impersonations", about))
        .add(took);
  }

  @Override
  public void impersonationChecked(String mode, boolean allowed, Duration took) {
    impersonationChecks
        .computeIfAbsent(
            new Impersonated(mode, allowed),
            about ->
                impersonation(
                    "apiserver_impersonation_authorization_attempts",
                    "Authorization checks of impersonations",
                    about))
        .add(took);
  }

  private Counted impersonation(String name, String what, Impersonated about) {
    Tags tags = Tags.of("mode", about.mode, "decision", about.allowed ? "allowed" : "denied");
    return new Counted(
        Counter.builder(name + "_total")
            .description(what + " by mode and decision.")
            .tags(tags)
            .register(registry),
        Timer.builder(name + "_duration")
            .description("Latency of the same.")
            .tags(tags)
            .serviceLevelObjectives(IMPERSONATION)
            .register(registry));
  }

  private Counted decisionsOf(String result) {
    return new Counted(
        Counter.builder("authorization_attempts_total")
            .description("Decisions whether a request may be done, by what came of it.")
            .tags("result", result)
            .register(registry),
        Timer.builder("authorization_duration")
            .description("Time that it took to decide whether a request may be done.")
            .tags("result", result)
            .serviceLevelObjectives(DECISION)
            .register(registry));
  }

  private Counted attemptsWith(String result) {
    return new Counted(
        Counter.builder("authentication_attempts")
            .description("Authentications of requests, by what came of them.")
            .tags("result", result)
            .register(registry),
        Timer.builder("authentication_duration")
            .description("Time that it took to authenticate a request.")
            .tags("result", result)
            .serviceLevelObjectives(DECISION)
            .register(registry));
  }

  private Counter requestsOf(String user) {
    return Counter.builder("authenticated_user_requests")
        .description("Authenticated requests by user; most users share a label.")
        .tags("username", user)
        .register(registry);
  }

  private Timer filter(String name) {
    return Timer.builder("apiserver_request_filter_duration")
        .description("Time of a filter that all requests pass.")
        .tags("filter", name)
        .serviceLevelObjectives(FILTER)
        .register(registry);
  }

  private AtomicInteger runningGauge(RequestLabels about) {
    AtomicInteger running = new AtomicInteger();
    Gauge.builder("apiserver_longrunning_requests", running, AtomicInteger::get)
        .description("Requests that run as long as client and server like: watches, connections.")
        .tags(tags(about))
        .register(registry);
    return running;
  }

  private Meters meters(RequestLabels about) {
    boolean reads = about.verb().equals("GET") || about.verb().equals("LIST");
    return new Meters(
        Timer.builder("apiserver_request_duration")
            .description("Time from a request to its answer.")
            .tags(tags(about).and("dry_run", about.dryRun()))
            .serviceLevelObjectives(LATENCY)
            .register(registry),
        Timer.builder("apiserver_request_sli_duration")
            .description("Time from a request to its answer, without that of webhooks and queues.")
            .tags(tags(about))
            .serviceLevelObjectives(INDICATOR)
            .register(registry),
        reads ? sizes(about) : null,
        new ConcurrentHashMap<>());
  }

  private Timer validation(String word) {
    return Timer.builder("field_validation_request_duration")
        .description("Time from a request to its answer, by the word for unknown fields.")
        .tags("field_validation", word)
        .serviceLevelObjectives(INDICATOR)
        .register(registry);
  }

  private DistributionSummary sizes(RequestLabels about) {
    return DistributionSummary.builder("apiserver_response_sizes")
        .description("Size of the responses to reads, in bytes.")
        .tags(tags(about))
        .serviceLevelObjectives(RESPONSE_BYTES)
        .register(registry);
  }

  private DistributionSummary bodySizes(Sent sent) {
    return DistributionSummary.builder("apiserver_request_body_size_bytes")
        .description("Size of the bodies of requests.")
        .tags(
            "group",
            sent.resource.group(),
            "resource",
            sent.resource.resource(),
            "verb",
            sent.verb.name().toLowerCase(Locale.ROOT))
        .serviceLevelObjectives(BODY_BYTES)
        .register(registry);
  }

  private Counter counter(RequestLabels about, int status) {
    return Counter.builder("apiserver_request_total")
        .description("Requests by what they were about and how they were answered.")
        .tags(tags(about).and("dry_run", about.dryRun(), "code", Integer.toString(status)))
        .register(registry);
  }

  private static Tags tags(RequestLabels about) {
    return about(about).and("component", about.component());
  }

  private static Tags about(RequestLabels about) {
    return Tags.of(
        "group",
        about.group(),
        "resource",
        about.resource(),
        "scope",
        about.scope(),
        "subresource",
        about.subresource(),
        "verb",
        about.verb(),
        "version",
        about.version());
  }
}
