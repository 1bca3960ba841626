package dev.keelson.server;

import dev.keelson.config.option.LimitOptions;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.config.option.ServingOptions;
import dev.keelson.config.option.StorageOptions;
import dev.keelson.controller.bootstrap.SystemObjects;
import dev.keelson.flow.InFlightLimiter;
import dev.keelson.http.discovery.Discovery;
import dev.keelson.http.discovery.DocumentEncoder;
import dev.keelson.http.discovery.OpenApi;
import dev.keelson.http.discovery.RootPaths;
import dev.keelson.http.endpoint.Api;
import dev.keelson.http.health.HealthEndpoints;
import dev.keelson.http.health.HealthRoutes;
import dev.keelson.http.health.Metrics;
import dev.keelson.http.health.Probe;
import dev.keelson.http.health.RequestLabels;
import dev.keelson.http.health.Version;
import dev.keelson.server.health.Build;
import dev.keelson.server.health.FeatureGauges;
import dev.keelson.server.health.InFlightGauges;
import dev.keelson.server.health.Ping;
import dev.keelson.server.identity.Identities;
import dev.keelson.server.lifecycle.Drain;
import dev.keelson.server.lifecycle.FileWatch;
import dev.keelson.server.lifecycle.StartException;
import dev.keelson.server.pki.Kubeconfig;
import dev.keelson.server.pki.PrivateFiles;
import dev.keelson.server.store.Compaction;
import dev.keelson.server.store.MeasuredStore;
import dev.keelson.server.store.StoreHealth;
import dev.keelson.server.store.StoredResources;
import dev.keelson.server.store.Stores;
import dev.keelson.server.tls.Certificates;
import dev.keelson.server.tls.ServingKey;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The server, put together by hand: every part is made in {@link #open}, in the order in which it
 * is needed, and taken down in {@link #stop}. Knows nothing of Quarkus; {@link HttpEdge} connects
 * the two.
 */
final class KeelsonServer {

  private static final Logger LOG = Logger.getLogger(KeelsonServer.class);
  private static final Duration STORE_RETRY = Duration.ofSeconds(1);

  private final ServerOptions options;
  private final Certificates certificates;
  private final Identities identities;
  private final FileWatch files;
  private final ServingKey servingKey;
  private final HealthEndpoints health;
  private final Drain drain;
  private final RevisionedStore store;
  private final ApiParts api;
  private final Version version;
  private final Metrics metrics;
  private final InstantSource clock;
  private final Compaction compaction;

  /** Where the server listens; 0 until it does. */
  private volatile int port;

  private KeelsonServer(
      ServerOptions options,
      Certificates certificates,
      Identities identities,
      FileWatch files,
      HealthEndpoints health,
      Drain drain,
      RevisionedStore store,
      ApiParts api,
      Version version,
      Metrics metrics,
      InstantSource clock) {
    this.options = options;
    this.certificates = certificates;
    this.identities = identities;
    this.files = files;
    this.servingKey = ServingKey.of(options.serving(), certificates.serving(), files);
    this.health = health;
    this.drain = drain;
    this.store = store;
    this.api = api;
    this.version = version;
    this.metrics = metrics;
    this.compaction =
        new Compaction(store, options.storage().compactionInterval(), api.cache()::compact);
    this.clock = clock;
  }

  /** Makes every part; blocks until they can be used, but nothing listens yet. */
  static KeelsonServer open(ServerOptions options, InstantSource clock) {
    makeDataDirectory(options.dataDir());
    Certificates certificates = Certificates.open(options.serving(), clock.instant());
    Drain drain = new Drain();
    HealthEndpoints health = new HealthEndpoints();
    Set<Probe> all = EnumSet.allOf(Probe.class);
    health.add(new Ping(), all);
    health.add(drain, EnumSet.of(Probe.READYZ));
    RevisionedStore bare = Stores.open(options.storage(), clock);
    health.add(new StoreHealth(bare), all);
    MeasuredStore store = new MeasuredStore(bare);
    String prefix = options.storage().prefix();
    FileWatch files = new FileWatch();
    ApiParts api = new ApiParts(store, options, certificates.trustedPem(), files, clock);
    Identities identities =
        Identities.open(options, certificates, api.client(), api.tokens(), clock, files);
    identities.serve(api::answer, api::admitToken);
    Version version = Build.version();
    Metrics metrics = new Metrics(new RequestLabels.Source(api.catalog()));
    store.measure(new StoredResources(api.catalog(), prefix), metrics::recordStore);
    return new KeelsonServer(
        options,
        certificates,
        identities,
        files,
        health,
        drain,
        store,
        api,
        version,
        metrics,
        clock);
  }

  /** What answers requests, on the event loops of {@code vertx}. */
  Api endpoints(Vertx vertx, ExecutorService threads) {
    LimitOptions limits = options.limits();
    InFlightLimiter limiter = new InFlightLimiter(limits.maxReads(), limits.maxWrites());
    InFlightGauges.register(metrics, limiter);
    FeatureGauges.register(metrics, options.features());
    files.start(
        (flag, outcome) -> {
          metrics.count(
              "keelson_file_reloads_total",
              "Changed files that were taken over, or kept out because they are wrong.",
              Map.of("flag", flag, "status", outcome));
          identities.filesChanged();
          api.filesChanged();
        });
    HealthRoutes answers = new HealthRoutes(health, version, metrics);
    DocumentEncoder documents = api.discoveryDocuments();
    Discovery discovery = new Discovery(api.catalog(), documents, this::serverAddress);
    OpenApi openApi = new OpenApi(api.openApi(version.gitVersion()), clock);
    Api.Documents others =
        new Api.Documents(
            discovery,
            openApi,
            answers,
            identities.documents(this::serverAddress),
            rootPaths(answers, openApi));
    return Api.of(
        api.filters(identities.chain(), limiter, metrics),
        api.resources(),
        others,
        vertx,
        threads,
        api.errors(),
        limits.requestTimeout());
  }

  private RootPaths rootPaths(HealthRoutes health, OpenApi openApi) {
    return new RootPaths(
        api.catalog(),
        () ->
            Stream.of(health.paths(), openApi.paths(), Identities.PATHS)
                .flatMap(List::stream)
                .toList());
  }

  ServingOptions serving() {
    return options.serving();
  }

  /** Hands certificates to TLS. */
  ServingKey servingKey() {
    return servingKey;
  }

  /** Where all metrics of the process are registered. */
  MeterRegistry meters() {
    return metrics.registry();
  }

  Drain drain() {
    return drain;
  }

  /**
   * Called when the server answers on {@code port}.
   *
   * @return the line that says so
   */
  String ready(int port, Duration age) {
    this.port = port;
    InetAddress address = reachableAddress();
    startOnStore(
        new SystemObjects.Place(
            options.serving().serviceRange().get(1).toString(), address.getHostAddress(), port));
    Path kubeconfig = options.dataDir().resolve("admin.kubeconfig");
    certificates.writeKubeconfig(kubeconfig, address, port);
    return String.format(
        Locale.ROOT,
        "Keelson ready at %s in %.2f s (%s) - try: kubectl --kubeconfig %s get namespaces",
        Kubeconfig.url(address, port),
        age.toMillis() / 1000.0,
        store(),
        kubeconfig);
  }

  /**
   * Waits for the store if it cannot be reached yet; probes say meanwhile that the server is not
   * ready.
   */
  private void startOnStore(SystemObjects.Place place) {
    while (!drain.leaving()) {
      try {
        api.start(place);
        compaction.start();
        identities.start();
        return;
      } catch (StorageException.Unavailable e) {
        LOG.warnf("event=store-away store=%s error=%s", store(), e.getMessage());
        LockSupport.parkNanos(STORE_RETRY.toNanos());
      }
    }
  }

  /**
   * Lets running requests finish, then closes the store; returns how many requests did not finish.
   */
  int stop() {
    files.close();
    int left = drain.run(serving().shutdownDelay(), serving().shutdownGrace());
    identities.close();
    compaction.close();
    api.close();
    store.close();
    return left;
  }

  private String store() {
    return switch (options.storage()) {
      case StorageOptions.Sqlite sqlite -> "sqlite " + sqlite.file();
      case StorageOptions.Etcd etcd ->
          "etcd " + String.join(",", etcd.servers().stream().map(Object::toString).toList());
    };
  }

  /** Host and port as discovery gives them. */
  private String serverAddress() {
    return URI.create(Kubeconfig.url(reachableAddress(), port)).getAuthority();
  }

  private InetAddress reachableAddress() {
    InetAddress advertised = serving().advertiseAddress();
    if (advertised != null) {
      return advertised;
    }
    InetAddress bound = serving().bindAddress();
    if (!bound.isAnyLocalAddress()) {
      return bound;
    }
    return InetAddress.ofLiteral(bound.getAddress().length == 4 ? "127.0.0.1" : "::1");
  }

  /** It holds secrets, so a new one is for its owner only. */
  private static void makeDataDirectory(Path directory) {
    try {
      Files.createDirectories(directory, PrivateFiles.ownerOnlyDirectory());
    } catch (IOException e) {
      throw new StartException("--data-dir: cannot make " + directory + ": " + e, e);
    }
  }
}
