package dev.keelson.server;

import dev.keelson.aggregation.ApiServices;
import dev.keelson.client.ResourceClient;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.controller.serviceaccount.TokenSource;
import dev.keelson.controller.storage.ProtectionSource;
import dev.keelson.http.RequestHandler;
import dev.keelson.http.aggregation.RemoteClients;
import dev.keelson.http.aggregation.RemoteDiscovery;
import dev.keelson.http.aggregation.RemoteFetch;
import dev.keelson.http.aggregation.RemoteOpenApi;
import dev.keelson.http.endpoint.Api;
import dev.keelson.http.health.Metrics;
import dev.keelson.http.media.BodyWriter;
import dev.keelson.http.verb.FeatureGateHandler;
import dev.keelson.quota.Evaluators;
import dev.keelson.quota.UsageFences;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.namespace.NamespaceInformer;
import dev.keelson.registry.read.ObjectStates;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.server.audit.Auditing;
import dev.keelson.server.cache.CachedNamespaces;
import dev.keelson.server.cache.CachedServiceNetwork;
import dev.keelson.server.cache.CachedTypes;
import dev.keelson.server.cache.CustomResourceFeed;
import dev.keelson.server.cache.PolicyFeed;
import dev.keelson.server.cache.Reflectors;
import dev.keelson.server.cache.ServiceCidrFeed;
import dev.keelson.server.cache.WebhookFeed;
import dev.keelson.server.controller.ControlPlane;
import dev.keelson.server.controller.Controllers;
import dev.keelson.server.controller.EvictionMeters;
import dev.keelson.server.controller.NamespaceDefaultsObserver;
import dev.keelson.server.controller.SchedulingMetrics;
import dev.keelson.server.controller.WorkQueueMeters;
import dev.keelson.server.flow.FlowControl;
import dev.keelson.server.identity.AuthenticationService;
import dev.keelson.server.identity.Authorization;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.GracefulShutdown;
import dev.keelson.server.lifecycle.Lifecycle;
import dev.keelson.server.lifecycle.Listeners;
import dev.keelson.server.lifecycle.StartProgress;
import dev.keelson.server.metrics.CacheMeters;
import dev.keelson.server.quota.NamespaceLimits;
import dev.keelson.server.registry.ServiceAllocators;
import dev.keelson.server.registry.ServiceMetrics;
import dev.keelson.server.store.MeasuredStore;
import dev.keelson.server.store.TrackedStores;
import dev.keelson.server.tracing.Traces;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.storage.object.ObjectStore;
import dev.keelson.watch.WatchCache;
import dev.keelson.webhook.ServiceResolver;
import dev.keelson.webhook.WebhookClient;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The server as the injector composes it from the modules, without the injector: for {@link
 * EmbeddedServer}, tests and benches, which run outside of Quarkus.
 *
 * @param listener configures the listener, which the owner opens
 * @param controlPlanes makes one more set of the parts behind leader elections, which take nodes to
 *     have been silent for this time before; not yet started
 */
record ComposedServer(
    KeelsonServer server,
    HttpServerSetup listener,
    Api api,
    ResourceCatalog catalog,
    GenericRegistry registry,
    ResourceClient client,
    Function<Duration, ControlPlane> controlPlanes,
    Metrics metrics) {

  static ComposedServer of(OpenedResources opened, Vertx vertx) {
    return of(opened, vertx, verbs -> verbs);
  }

  /**
   * Composes a server.
   *
   * @param decoration what is put around the verbs of resources, behind all filters
   */
  static ComposedServer of(
      OpenedResources opened, Vertx vertx, UnaryOperator<RequestHandler> decoration) {
    SchemaModule schema = new SchemaModule();
    StoreModule store = new StoreModule();
    WatchModule watch = new WatchModule();
    IdentityModule identity = new IdentityModule();
    RegistryModule registries = new RegistryModule();
    ControllerModule controller = new ControllerModule();
    HttpModule http = new HttpModule();

    ServerOptions options = opened.options();
    InstantSource clock = opened.clock();
    ProtoSchemas schemas = schema.schemas();
    ResourceCatalog catalog = schema.catalog(schemas, options);
    AtomicReference<GenericRegistry> later = new AtomicReference<>();
    ServerAddress address = http.address(options);
    ServiceResolver services = registries.services(options, catalog, later::get, address);
    Metrics metrics = http.metrics(opened);
    WebhookClient webhooks = registries.webhooks(services, metrics);
    ObjectCodec codec = schema.codec(catalog, schemas, options, () -> webhooks, metrics);
    KeyLayout layout = store.layout(options);
    MeasuredStore measured = store.measured(opened, catalog, metrics);
    TrackedStores stores = store.tracked(opened, measured, layout, catalog, metrics);
    ObjectStore objects = store.objects(stores, layout, options, clock);
    CacheMeters cacheMeters = watch.cacheMeters(metrics, catalog, options);
    WatchCache cache = watch.cache(stores, layout, clock, cacheMeters);
    CachedTypes cached = watch.cachedTypes(catalog, options);
    ObjectStates states = watch.states(stores, layout, cache, cached, cacheMeters);
    PolicyFeed policies = watch.policies(catalog, stores, cache, layout, codec);
    Reflectors<TokenSource.Kind> tokens = watch.tokens(catalog, stores, cache, layout, codec);
    Reflectors<ProtectionSource.Kind> volumes =
        watch.volumes(catalog, stores, cache, layout, codec);
    FileReloader files = identity.files();
    Authorization authorization =
        identity.authorization(
            options,
            watch.decisionFeeds(catalog, stores, cache, layout, codec),
            files,
            metrics,
            clock);
    CachedNamespaces known =
        watch.knownNamespaces(catalog, stores, cache, layout, codec, authorization);
    NamespaceInformer namespaces = registries.namespaces(objects, codec, catalog);
    ServiceCidrFeed serviceCidrs = watch.serviceCidrs(catalog, stores, cache, layout, codec);
    CachedServiceNetwork serviceNetwork =
        watch.serviceNetwork(catalog, stores, cache, layout, codec);
    ServiceMetrics serviceMetrics = registries.serviceMetrics(metrics);
    ServiceAllocators allocators =
        registries.serviceAllocators(
            options,
            schemas,
            catalog,
            objects,
            codec,
            clock,
            serviceCidrs,
            cache,
            layout,
            serviceMetrics);
    NamespaceLimits limits = watch.namespaceLimits(catalog, stores, cache, layout, codec);
    Evaluators evaluators = registries.evaluators(catalog, later::get, clock);
    UsageFences fences = registries.usageFences(measured, layout);
    WebhookFeed webhookFeed =
        watch.webhooks(catalog, stores, cache, layout, codec, authorization, later::get);
    GenericRegistry registry =
        registries.registry(
            options,
            objects,
            stores,
            states,
            layout,
            codec,
            catalog,
            registries.steps(
                options,
                catalog,
                codec,
                clock,
                allocators,
                authorization,
                limits,
                fences,
                evaluators,
                policies,
                () -> registries.client(catalog, later.get(), stores, layout),
                webhookFeed,
                webhooks,
                later::get,
                files,
                opened.certificates(),
                metrics),
            namespaces,
            () -> registries.client(catalog, later.get(), stores, layout),
            clock);
    later.set(registry);
    ResourceClient client = registries.client(catalog, registry, stores, layout);
    AuthenticationService identities =
        identity.identities(options, opened.certificates(), client, tokens, metrics, clock, files);
    var defaults = controller.namespaceDefaults(client, opened.certificates(), options);
    NamespaceDefaultsObserver observer =
        controller.namespaceDefaultsObserver(defaults, layout, catalog);
    CustomResourceFeed customResources =
        watch.customResources(catalog, schemas, stores, cache, layout, codec);
    FlowControl flow =
        new FlowModule()
            .flowControl(options, catalog, stores, cache, layout, codec, metrics, vertx, clock);
    Controllers controllers =
        controller.controllers(
            client,
            controller.defaultServiceCidr(client, options, clock),
            controller.serviceNetwork(
                client, serviceNetwork, allocators, serviceMetrics, options, clock),
            namespaces,
            defaults,
            observer,
            controller.namespaceTermination(catalog, client, clock, customResources),
            controller.garbageCollection(stores, layout, cache, codec, catalog, client, clock),
            controller.quotas(catalog, client, cache, layout, codec, fences, evaluators),
            controller.protection(client, volumes, cache, layout, registry, catalog),
            controller.serverEndpoints(client, options, measured, layout),
            flow,
            catalog,
            clock);
    Traces traces = http.traces(opened);
    GracefulShutdown drain = http.drain();
    StartProgress progress = http.progress();
    BodyWriter writer = http.writer(registry, codec, schemas, clock);
    Auditing auditing =
        new AuditModule()
            .auditing(
                vertx,
                options,
                files,
                catalog,
                schemas,
                writer,
                metrics,
                layout,
                () -> cache,
                () -> stores,
                () -> codec,
                () -> webhooks,
                clock);
    NodeModule nodes = new NodeModule();
    AggregationModule aggregation = new AggregationModule();
    ApiServices apiServices = aggregation.apiServices();
    RemoteClients remotes = aggregation.remoteClients(vertx, options, files, metrics);
    RemoteFetch fetch = aggregation.remoteFetch(remotes, services);
    RemoteDiscovery discovery = aggregation.remoteDiscovery(apiServices, fetch);
    RemoteOpenApi openApi = aggregation.remoteOpenApi(apiServices, fetch);
    Api api =
        http.api(
            vertx,
            options,
            decorated(
                decoration,
                options,
                http.resources(
                    options,
                    schemas,
                    catalog,
                    registry,
                    codec,
                    writer,
                    authorization,
                    identities,
                    known,
                    stores,
                    layout,
                    auditing,
                    nodes.nodeConnections(
                        options,
                        nodes.nodeClients(vertx, options, files),
                        catalog,
                        registry,
                        authorization,
                        metrics,
                        clock),
                    metrics,
                    states,
                    clock)),
            writer,
            schemas,
            catalog,
            authorization,
            identities,
            http.limiter(options, metrics),
            flow,
            metrics,
            http.requestMeters(metrics, catalog, clock),
            auditing,
            traces,
            http.health(opened, drain, progress),
            address,
            aggregation.proxy(options, apiServices, openApi, remotes, services),
            discovery,
            openApi,
            stores,
            layout,
            clock);
    SchedulingMetrics scheduling = new SchedulingMetrics(metrics.registry());
    WorkQueueMeters queues = new WorkQueueMeters(metrics.registry());
    EvictionMeters evictions = new EvictionMeters(metrics.registry());
    Function<Duration, ControlPlane> controlPlanes =
        silentBefore ->
            controller.controlPlane(
                api,
                opened.certificates(),
                options,
                scheduling,
                queues,
                evictions,
                clock,
                silentBefore);
    ControlPlane controlPlane = controlPlanes.apply(Duration.ZERO);
    Lifecycle lifecycle =
        new LifecycleModule()
            .lifecycle(
                opened,
                auditing,
                traces,
                address,
                cache,
                cached,
                objects,
                stores,
                customResources,
                controller.definitions(catalog, client, clock),
                watch.retiredTypes(catalog, cache, layout, cached, objects),
                watch.compactions(stores, options, cache),
                authorization,
                identities,
                aggregation.apiServiceFeed(
                    catalog, apiServices, client, cache, layout, codec, clock),
                aggregation.remoteApiServices(
                    apiServices,
                    client,
                    registry,
                    remotes,
                    fetch,
                    discovery,
                    openApi,
                    catalog,
                    cache,
                    layout,
                    metrics,
                    clock),
                tokens,
                volumes,
                webhookFeed,
                policies,
                controller.policyStatus(client, catalog),
                known,
                limits,
                files,
                metrics,
                catalog,
                registry,
                webhooks,
                serviceCidrs,
                serviceNetwork,
                controllers,
                flow,
                controlPlane,
                progress);
    KeelsonServer server =
        new KeelsonServer(options, opened.certificates(), address, drain, lifecycle, controlPlane);
    return new ComposedServer(
        server,
        new HttpServerSetup(
            options,
            identity.servingKey(options, opened.certificates(), files),
            () -> identities,
            drain,
            server,
            new Listeners()),
        api,
        catalog,
        registry,
        client,
        controlPlanes,
        metrics);
  }

  /** The verbs with the decoration; the gates of the verbs themselves apply once more. */
  private static FeatureGateHandler decorated(
      UnaryOperator<RequestHandler> decoration, ServerOptions options, FeatureGateHandler verbs) {
    RequestHandler outer = decoration.apply(verbs);
    return outer == verbs ? verbs : new FeatureGateHandler(outer, options.features());
  }
}
