package dev.keelson.server;

import dev.keelson.api.GroupResource;
import dev.keelson.audit.trail.TrailStore;
import dev.keelson.config.option.LimitOptions;
import dev.keelson.config.option.ObservationOptions;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.config.option.StorageOptions;
import dev.keelson.config.option.WebOptions;
import dev.keelson.controller.bootstrap.IdentityLease;
import dev.keelson.flow.InFlightLimiter;
import dev.keelson.http.ErrorResponses;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.Route;
import dev.keelson.http.access.Reviews;
import dev.keelson.http.access.VisibleNamespaces;
import dev.keelson.http.connection.Delegation;
import dev.keelson.http.connection.ForwardedAddresses;
import dev.keelson.http.connection.RequestReceiver;
import dev.keelson.http.console.ConsoleHandler;
import dev.keelson.http.console.ConsoleSessions;
import dev.keelson.http.discovery.Discovery;
import dev.keelson.http.discovery.DocumentEncoder;
import dev.keelson.http.discovery.OpenApi;
import dev.keelson.http.discovery.RemoteGroups;
import dev.keelson.http.discovery.RootPaths;
import dev.keelson.http.endpoint.Api;
import dev.keelson.http.filter.FilterOrder;
import dev.keelson.http.filter.RoutingHandler;
import dev.keelson.http.health.HealthEndpoints;
import dev.keelson.http.health.HealthRoutes;
import dev.keelson.http.health.Metrics;
import dev.keelson.http.health.MetricsResetRoute;
import dev.keelson.http.health.Probe;
import dev.keelson.http.health.RequestLabels;
import dev.keelson.http.health.RequestMeters;
import dev.keelson.http.health.Version;
import dev.keelson.http.history.HistoryHandler;
import dev.keelson.http.history.ObjectRights;
import dev.keelson.http.media.BodyReader;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.media.MetaSchemas;
import dev.keelson.http.media.WatchBodies;
import dev.keelson.http.node.NodeConnections;
import dev.keelson.http.node.NodeDelegation;
import dev.keelson.http.trail.AuditEvents;
import dev.keelson.http.trail.CsvLists;
import dev.keelson.http.verb.FeatureGateHandler;
import dev.keelson.http.verb.ResourceHandler;
import dev.keelson.http.verb.VirtualResource;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.ObjectHistory;
import dev.keelson.registry.read.ObjectStates;
import dev.keelson.registry.subresource.Subresources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.openapi.JsonText;
import dev.keelson.schema.openapi.OpenApiDocuments;
import dev.keelson.schema.openapi.RemoteDocuments;
import dev.keelson.schema.openapi.operation.Descriptions;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.server.audit.Auditing;
import dev.keelson.server.cache.CachedNamespaces;
import dev.keelson.server.controller.HostName;
import dev.keelson.server.flow.FlowControl;
import dev.keelson.server.health.BuildInfo;
import dev.keelson.server.health.FeatureGauges;
import dev.keelson.server.health.InFlightGauges;
import dev.keelson.server.health.LogCheck;
import dev.keelson.server.health.NamedCheck;
import dev.keelson.server.health.Ping;
import dev.keelson.server.health.ProcessUptime;
import dev.keelson.server.health.StartChecks;
import dev.keelson.server.identity.AuthenticationService;
import dev.keelson.server.identity.Authorization;
import dev.keelson.server.lifecycle.GracefulShutdown;
import dev.keelson.server.lifecycle.Listeners;
import dev.keelson.server.lifecycle.StartProgress;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.server.log.RunningLog;
import dev.keelson.server.metrics.DeclaredCounters;
import dev.keelson.server.metrics.LabelAllowList;
import dev.keelson.server.metrics.StoreSizeMeters;
import dev.keelson.server.metrics.StoredObjectMeters;
import dev.keelson.server.metrics.WatchMeters;
import dev.keelson.server.page.DebugFlags;
import dev.keelson.server.page.ZPages;
import dev.keelson.server.profile.Profiles;
import dev.keelson.server.registry.ComponentStatuses;
import dev.keelson.server.registry.TypeComments;
import dev.keelson.server.store.StoreHealth;
import dev.keelson.server.store.TrackedStores;
import dev.keelson.server.tracing.Traces;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.storage.object.SharedSecret;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Produces the filter chain, the verbs and the non-resource routes. */
@Singleton
final class HttpModule {

  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";

  @Produces
  @Singleton
  Metrics metrics(OpenedResources opened) {
    LabelAllowList labels = opened.labels();
    Metrics metrics =
        new Metrics(
            Set.copyOf(opened.options().web().disabledMetrics()),
            labels.allowed().isEmpty() ? null : labels.filter());
    DeclaredCounters.register(metrics.registry());
    return metrics;
  }

  @Produces
  @Singleton
  RequestMeters requestMeters(Metrics metrics, ResourceCatalog catalog, InstantSource clock) {
    return new RequestMeters(metrics, new RequestLabels.Source(catalog), clock);
  }

  /**
   * The registry of all meters, in which the binders of Quarkus's Micrometer extension register
   * (JVM, process, system, Netty). The extension serves no path; the meters are in {@code
   * /metrics}.
   */
  @Produces
  @Singleton
  MeterRegistry meters(Metrics metrics) {
    return metrics.registry();
  }

  @Produces
  @Singleton
  Traces traces(OpenedResources opened) {
    return Traces.of(opened.tracing(), () -> IdentityLease.name(HostName.ofThisHost()));
  }

  @Produces
  @Singleton
  GracefulShutdown drain() {
    return new GracefulShutdown();
  }

  @Produces
  @Singleton
  Listeners listeners() {
    return new Listeners();
  }

  @Produces
  @Singleton
  ServerAddress address(ServerOptions options) {
    return new ServerAddress(options.serving(), options.web().externalHost());
  }

  @Produces
  @Singleton
  StartProgress progress() {
    return new StartProgress();
  }

  @Produces
  @Singleton
  HealthEndpoints health(OpenedResources opened, GracefulShutdown drain, StartProgress progress) {
    Set<Probe> all = EnumSet.allOf(Probe.class);
    Set<Probe> ready = EnumSet.of(Probe.READYZ);
    StorageOptions.Monitoring monitoring = opened.options().storage().monitoring();
    HealthEndpoints health = new HealthEndpoints();
    health.add(new Ping(), all);
    health.add(new LogCheck(), all);
    // requests of this process do without a connection, so that there is no certificate to expire
    health.add(
        new NamedCheck("loopback-serving-certificate", Optional::empty), EnumSet.of(Probe.LIVEZ));
    health.add(StoreHealth.of("etcd", opened.store(), monitoring.healthTimeout()), all);
    health.add(StoreHealth.of("etcd-readiness", opened.store(), monitoring.readyTimeout()), ready);
    for (int i = 0; i < opened.overrides().size(); i++) {
      RevisionedStore store = opened.overrides().get(i).store();
      health.add(
          StoreHealth.ofOverride("etcd-override-" + i, "etcd", store, monitoring.healthTimeout()),
          all);
      health.add(
          StoreHealth.ofOverride(
              "etcd-override-readiness-" + i, "etcd-readiness", store, monitoring.readyTimeout()),
          ready);
    }
    health.add(StartChecks.feeds(progress::hasStarted), ready);
    StartChecks.of(progress::hasStarted).forEach(check -> health.add(check, all));
    if (opened.encryption() != null) {
      // a restart would not help: kube-apiserver has it in no liveness probe either
      Set<Probe> notLive = EnumSet.complementOf(EnumSet.of(Probe.LIVEZ));
      opened.encryption().health().ifPresent(check -> health.add(check, notLive));
      if (opened.encryption().follows()) {
        health.add(StartChecks.encryptionReload(progress::hasStarted), all);
      }
    }
    health.add(drain, ready);
    return health;
  }

  @Produces
  @Singleton
  InFlightLimiter limiter(ServerOptions options, Metrics metrics) {
    LimitOptions limits = options.limits();
    InFlightLimiter limiter = new InFlightLimiter(limits.maxReads(), limits.maxWrites());
    if (!limits.fair() || limits.maxReads() + limits.maxWrites() == 0) {
      // else they are those of priority and fairness
      InFlightGauges.register(metrics, limiter);
    }
    FeatureGauges.register(metrics, options.features());
    metrics.describe(BuildInfo.version());
    return limiter;
  }

  @Produces
  @Singleton
  BodyWriter writer(
      GenericRegistry registry, ObjectCodec codec, ProtoSchemas schemas, InstantSource clock) {
    return new BodyWriter(registry, codec, MetaSchemas.of(schemas::struct), clock);
  }

  /** Produces the verbs of stored and virtual resources. */
  @Produces
  @Singleton
  FeatureGateHandler resources(
      ServerOptions options,
      ProtoSchemas schemas,
      ResourceCatalog catalog,
      GenericRegistry registry,
      ObjectCodec codec,
      BodyWriter writer,
      Authorization authorization,
      AuthenticationService identities,
      CachedNamespaces namespaces,
      TrackedStores stores,
      KeyLayout layout,
      Auditing auditing,
      NodeConnections nodes,
      Metrics metrics,
      ObjectStates states,
      InstantSource clock) {
    StoredObjectMeters objects =
        new StoredObjectMeters(
            metrics,
            catalog,
            stores.encoded(),
            layout,
            states::cache,
            options.storage().monitoring().countPeriod());
    metrics.beforeReading(objects::refresh);
    List<RevisionedStore> parts = stores.encoded().parts();
    StoreSizeMeters sizes =
        new StoreSizeMeters(metrics, parts, options.storage().monitoring().sizeInterval());
    metrics.beforeReading(sizes::refresh);
    Map<GroupResource, VirtualResource> virtual =
        new HashMap<>(Reviews.of(authorization.authorizer(), clock));
    virtual.put(
        VisibleNamespaces.RESOURCE, new VisibleNamespaces(namespaces, authorization.authorizer()));
    virtual.put(ComponentStatuses.RESOURCE, new ComponentStatuses(parts));
    virtual.putAll(identities.virtualResources());
    TrailStore trail = auditing.trail();
    if (trail != null) {
      virtual.put(AuditEvents.RESOURCE, new AuditEvents(trail, clock));
    }
    RequestHandler handler =
        new ResourceHandler(
            catalog,
            registry,
            new BodyReader(catalog),
            writer,
            new WatchBodies(
                registry,
                codec,
                MetaSchemas.of(schemas::struct),
                clock,
                new WatchMeters(metrics.registry())),
            options.limits().minWatchTimeout(),
            options.limits().deleteCollectionWorkers(),
            schemas.struct(META + "DeleteOptions"),
            Subresources.of(registry, codec, catalog, clock),
            Map.copyOf(virtual),
            authorization.authorizer(),
            nodes);
    RequestHandler stored =
        new HistoryHandler(
            handler,
            catalog,
            registry,
            new ObjectHistory(stores.whole(), layout),
            writer,
            new ObjectRights(authorization.authorizer()));
    return new FeatureGateHandler(
        trail == null ? stored : new CsvLists(stored, trail, clock), options.features());
  }

  /** Produces the handlers of the JAX-RS resources. */
  @Produces
  @Singleton
  Api api(
      Vertx vertx,
      ServerOptions options,
      FeatureGateHandler resources,
      BodyWriter writer,
      ProtoSchemas schemas,
      ResourceCatalog catalog,
      Authorization authorization,
      AuthenticationService identities,
      InFlightLimiter limiter,
      FlowControl flow,
      Metrics metrics,
      RequestMeters requests,
      Auditing auditing,
      Traces traces,
      HealthEndpoints health,
      ServerAddress address,
      Delegation delegation,
      RemoteGroups remotes,
      RemoteDocuments remoteDocuments,
      TrackedStores stores,
      KeyLayout layout,
      InstantSource clock) {
    Version version = BuildInfo.version();
    HealthRoutes probes = new HealthRoutes(health, version, metrics);
    ObservationOptions observed = options.observation();
    OpenApi openApi =
        new OpenApi(documents(catalog, schemas, version.gitVersion(), remoteDocuments), clock);
    RootPaths root =
        new RootPaths(
            catalog,
            remotes,
            () ->
                Stream.of(
                        probes.paths(),
                        openApi.paths(),
                        AuthenticationService.PATHS,
                        pages(options, version, clock, List::of).served())
                    .flatMap(List::stream)
                    .toList());
    List<Route> others = new ArrayList<>(flow.routes());
    others.add(
        pages(
            options,
            version,
            clock,
            () ->
                Stream.concat(
                        probes.paths().stream(),
                        pages(options, version, clock, List::of).served().stream())
                    .toList()));
    if (observed.profiling()) {
      others.add(Profiles.ofProcess());
      others.add(new DebugFlags(RunningLog::setVerbosity));
      others.add(new MetricsResetRoute(metrics, health));
    }
    Api.Documents documents =
        new Api.Documents(
            new Discovery(catalog, discoveryEncoder(schemas), address::authority, remotes),
            openApi,
            probes,
            identities.documents(address::authority),
            root,
            others);
    ErrorResponses errors = new ErrorResponses(writer::status);
    ConsoleSessions sessions = sessions(options, stores, layout, clock);
    FilterOrder filters =
        new FilterOrder(
            identities.chain(),
            authorization.authorizer(),
            authorization.openPaths(),
            limiter,
            flow.filter(),
            errors,
            requests,
            auditing.parts(),
            traces.tracer(),
            browsers(options.web(), sessions));
    return Api.of(
        filters,
        resources,
        documents,
        vertx,
        Executors.newVirtualThreadPerTaskExecutor(),
        errors,
        new RequestReceiver.Times(
            options.limits().requestTimeout(), options.limits().idleTimeout()),
        delegation.or(new NodeDelegation(new RoutingHandler(resources, List.of()))),
        clock,
        new ForwardedAddresses(options.serving().plain().trustedProxies()),
        traffic(options.limits()),
        sessions == null
            ? null
            : new ConsoleHandler(
                sessions,
                identities.chain(),
                new ConsoleHandler.Providers(
                    identities.logins(),
                    () ->
                        Optional.ofNullable(options.web().externalHost())
                            .map(named -> address.authority())),
                consoleKey(stores, layout),
                new SecureRandom(),
                clock));
  }

  private static RequestReceiver.Traffic traffic(LimitOptions limits) {
    double chance = limits.goAwayChance();
    return new RequestReceiver.Traffic(
        limits.connectionBytesPerSecond(),
        chance == 0 ? () -> false : () -> ThreadLocalRandom.current().nextDouble() < chance);
  }

  private static ZPages pages(
      ServerOptions options, Version version, InstantSource clock, Supplier<List<String>> paths) {
    return new ZPages(
        options.features(),
        version,
        options.observation().flags(),
        clock.instant().minus(ProcessUptime.now()),
        clock,
        paths);
  }

  private static FilterOrder.Browsers browsers(WebOptions web, @Nullable ConsoleSessions sessions) {
    try {
      return FilterOrder.Browsers.of(web.corsOrigins(), web.strictTransport(), sessions);
    } catch (IllegalArgumentException e) {
      throw new StartupException("--cors-allowed-origins: " + e.getMessage(), e);
    }
  }

  /** The sessions of the console, whose key is read with the first one; null without it. */
  private static @Nullable ConsoleSessions sessions(
      ServerOptions options, TrackedStores stores, KeyLayout layout, InstantSource clock) {
    return options.web().console()
        ? new ConsoleSessions(consoleKey(stores, layout), new SecureRandom(), clock)
        : null;
  }

  private static SharedSecret consoleKey(TrackedStores stores, KeyLayout layout) {
    return new SharedSecret(stores.whole(), layout.own("console-key"));
  }

  /** Creates the OpenAPI documents, which are loaded and built on the first request. */
  private static OpenApiDocuments documents(
      ResourceCatalog catalog, ProtoSchemas schemas, String version, RemoteDocuments remotes) {
    TypeComments comments = new TypeComments();
    return new OpenApiDocuments(
        catalog,
        schemas::struct,
        new Descriptions(comments::of, comments::of),
        new JsonText(ObjectWriter::json, ObjectReader::untypedJson),
        version,
        remotes);
  }

  private static DocumentEncoder discoveryEncoder(ProtoSchemas schemas) {
    return (document, format) ->
        switch (format) {
          case JSON -> ObjectWriter.json(document);
          case YAML -> ObjectWriter.yaml(document);
          case PROTOBUF -> ObjectWriter.protobuf(document, schemas.struct(discoveryType(document)));
        };
  }

  private static String discoveryType(MapNode document) {
    String group = document.text("apiVersion");
    return group.startsWith("apidiscovery.k8s.io/")
        ? "io.k8s.api.apidiscovery."
            + group.substring(group.indexOf('/') + 1)
            + ".APIGroupDiscoveryList"
        : META + document.text("kind");
  }
}
