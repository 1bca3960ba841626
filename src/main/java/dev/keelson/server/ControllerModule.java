package dev.keelson.server;

import dev.keelson.admission.policy.TypeCheck;
import dev.keelson.api.GroupVersion;
import dev.keelson.client.ResourceClient;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.config.option.StorageOptions;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.admission.PolicyStatusController;
import dev.keelson.controller.bootstrap.FlowControlBootstrap;
import dev.keelson.controller.bootstrap.FlowSchemaReferences;
import dev.keelson.controller.bootstrap.IdentityLease;
import dev.keelson.controller.bootstrap.SystemObjects;
import dev.keelson.controller.certificate.SigningAuthority;
import dev.keelson.controller.customresource.DefinitionController;
import dev.keelson.controller.customresource.StructuralCheck;
import dev.keelson.controller.garbage.GarbageCollector;
import dev.keelson.controller.namespace.NamespaceController;
import dev.keelson.controller.quota.QuotaController;
import dev.keelson.controller.service.DefaultServiceCidr;
import dev.keelson.controller.service.ServiceNetworkController;
import dev.keelson.controller.serviceaccount.NamespaceDefaults;
import dev.keelson.controller.storage.ProtectionController;
import dev.keelson.controller.storage.ProtectionSource;
import dev.keelson.http.endpoint.Api;
import dev.keelson.http.health.Metrics;
import dev.keelson.quota.Evaluators;
import dev.keelson.quota.UsageFences;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.client.StoreOwnership;
import dev.keelson.registry.client.StoreQuotaFeed;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.namespace.NamespaceInformer;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.validation.apiextensions.StructuralForm;
import dev.keelson.server.cache.CachedProtectionSource;
import dev.keelson.server.cache.CachedServiceNetwork;
import dev.keelson.server.cache.CustomResourceFeed;
import dev.keelson.server.cache.Reflectors;
import dev.keelson.server.controller.ControlPlane;
import dev.keelson.server.controller.Controllers;
import dev.keelson.server.controller.EvictionMeters;
import dev.keelson.server.controller.HostName;
import dev.keelson.server.controller.MasterLeases;
import dev.keelson.server.controller.NamespaceDefaultsObserver;
import dev.keelson.server.controller.SchedulingMetrics;
import dev.keelson.server.controller.ServerEndpoints;
import dev.keelson.server.controller.StorageVersions;
import dev.keelson.server.controller.StoredPortAllocations;
import dev.keelson.server.controller.WorkQueueMeters;
import dev.keelson.server.flow.FlowControl;
import dev.keelson.server.health.BuildInfo;
import dev.keelson.server.registry.BuiltInSteps;
import dev.keelson.server.registry.ServiceAllocators;
import dev.keelson.server.registry.ServiceMetrics;
import dev.keelson.server.store.MeasuredStore;
import dev.keelson.server.store.TrackedStores;
import dev.keelson.server.tls.Certificates;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.value.Cidr;
import dev.keelson.watch.WatchCache;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.UUID;

/** Produces the controllers, which are clients of the registry. */
@Singleton
final class ControllerModule {

  /** Delay of the garbage collector after the start if nothing is deleted. */
  private static final Duration GARBAGE_PATIENCE = Duration.ofSeconds(10);

  /** As in kube-apiserver. */
  private static final Duration FLOW_DEFAULTS_INTERVAL = Duration.ofMinutes(1);

  @Produces
  @Singleton
  NamespaceDefaults namespaceDefaults(
      ResourceClient client, Certificates certificates, ServerOptions options) {
    EnumSet<NamespaceDefaults.Part> parts = EnumSet.noneOf(NamespaceDefaults.Part.class);
    if (options.controllers().enabled("serviceaccount-controller")) {
      parts.add(NamespaceDefaults.Part.SERVICE_ACCOUNT);
    }
    if (options.controllers().enabled("root-ca-certificate-publisher-controller")) {
      parts.add(NamespaceDefaults.Part.ROOT_AUTHORITIES);
    }
    return new NamespaceDefaults(client, certificates.trustedPem(), parts);
  }

  @Produces
  @Singleton
  NamespaceDefaultsObserver namespaceDefaultsObserver(
      NamespaceDefaults defaults, KeyLayout layout, ResourceCatalog catalog) {
    return new NamespaceDefaultsObserver(
        defaults,
        layout,
        BuiltInSteps.stored(catalog, "", "serviceaccounts"),
        BuiltInSteps.stored(catalog, "", "configmaps"));
  }

  @Produces
  @Singleton
  PolicyStatusController policyStatus(ResourceClient client, ResourceCatalog catalog) {
    return new PolicyStatusController(client, new TypeCheck(catalog)::check);
  }

  @Produces
  @Singleton
  DefinitionController definitions(
      ResourceCatalog catalog, ResourceClient client, InstantSource clock) {
    StructSchema type =
        catalog.snapshot().find(DefinitionController.RESOURCE).orElseThrow().schema();
    StructuralCheck structure =
        definition ->
            StructuralForm.violation(definition, type)
                .map(found -> new StructuralCheck.Violation(found.certain(), found.message()));
    return new DefinitionController(catalog, client, structure, clock);
  }

  @Produces
  @Singleton
  NamespaceController namespaceTermination(
      ResourceCatalog catalog,
      ResourceClient client,
      InstantSource clock,
      CustomResourceFeed types) {
    return new NamespaceController(catalog, client, clock, types::awaitNewest);
  }

  @Produces
  @Singleton
  GarbageCollector garbageCollection(
      TrackedStores stores,
      KeyLayout layout,
      WatchCache cache,
      ObjectCodec codec,
      ResourceCatalog catalog,
      ResourceClient client,
      InstantSource clock) {
    StoreOwnership ownership =
        new StoreOwnership(stores.whole(), layout, cache, codec, catalog, GARBAGE_PATIENCE);
    return new GarbageCollector(catalog, client, ownership, clock);
  }

  @Produces
  @Singleton
  QuotaController quotas(
      ResourceCatalog catalog,
      ResourceClient client,
      WatchCache cache,
      KeyLayout layout,
      ObjectCodec codec,
      UsageFences fences,
      Evaluators evaluators) {
    StoreQuotaFeed feed =
        new StoreQuotaFeed(
            cache, layout, catalog, codec, BuiltInSteps.stored(catalog, "", "resourcequotas"));
    return new QuotaController(catalog, client, feed, evaluators, fences, System::nanoTime);
  }

  @Produces
  @Singleton
  ProtectionController protection(
      ResourceClient client,
      Reflectors<ProtectionSource.Kind> volumes,
      WatchCache cache,
      KeyLayout layout,
      GenericRegistry registry,
      ResourceCatalog catalog) {
    ResourceDefinition pods =
        catalog.snapshot().find(GroupVersion.CORE_V1.resource("pods")).orElseThrow();
    return new ProtectionController(
        client, new CachedProtectionSource(volumes, cache, layout, registry, pods));
  }

  @Produces
  @Singleton
  ServerEndpoints serverEndpoints(
      ResourceClient client, ServerOptions options, MeasuredStore store, KeyLayout layout) {
    // a SQLite file has only one server
    MasterLeases leases =
        options.storage() instanceof StorageOptions.Sqlite
            ? null
            : new MasterLeases(store, layout, ServerEndpoints.TIME_TO_LIVE);
    return new ServerEndpoints(new SystemObjects(client), leases);
  }

  @Produces
  @Singleton
  ServiceNetworkController serviceNetwork(
      ResourceClient client,
      CachedServiceNetwork source,
      ServiceAllocators allocators,
      ServiceMetrics metrics,
      ServerOptions options,
      InstantSource clock) {
    ServiceNetworkController controller =
        new ServiceNetworkController(
            client,
            source,
            new StoredPortAllocations(allocators.ports()),
            metrics,
            options.controllers().enabled("service-cidr-controller"),
            clock,
            System::nanoTime);
    metrics.measure(
        block -> controller.allocated().getOrDefault(block.range(), 0), allocators.ports());
    return controller;
  }

  @Produces
  @Singleton
  DefaultServiceCidr defaultServiceCidr(
      ResourceClient client, ServerOptions options, InstantSource clock) {
    return new DefaultServiceCidr(
        client, options.serving().serviceRanges().stream().map(Cidr::toString).toList(), clock);
  }

  /** The parts behind leader elections; clients of the filter chain like any other. */
  @Produces
  @Singleton
  ControlPlane controlPlane(
      Api api,
      Certificates certificates,
      ServerOptions options,
      Metrics metrics,
      InstantSource clock) {
    return controlPlane(
        api,
        certificates,
        options,
        new SchedulingMetrics(metrics.registry()),
        new WorkQueueMeters(metrics.registry()),
        new EvictionMeters(metrics.registry()),
        clock,
        Duration.ZERO);
  }

  /**
   * The same with nodes that are taken to have been silent for a time before, and with meters that
   * several of them use one after another.
   */
  ControlPlane controlPlane(
      Api api,
      Certificates certificates,
      ServerOptions options,
      SchedulingMetrics scheduling,
      WorkQueueMeters queues,
      EvictionMeters evictions,
      InstantSource clock,
      Duration silentBefore) {
    // a SQLite file has only one server: the last holder is the same server before its restart
    String identity =
        options.storage() instanceof StorageOptions.Sqlite
            ? "keelson"
            : HostName.ofThisHost() + "_" + UUID.randomUUID();
    return new ControlPlane(
        api.loopback(),
        options.controllers(),
        new SigningAuthority(
            certificates.pki().issuer().key(), certificates.pki().issuer().certificate()),
        identity,
        BuildInfo.version().gitVersion(),
        scheduling,
        queues,
        evictions,
        clock,
        silentBefore);
  }

  @Produces
  @Singleton
  Controllers controllers(
      ResourceClient client,
      DefaultServiceCidr defaultServiceCidr,
      ServiceNetworkController serviceNetwork,
      NamespaceInformer namespaces,
      NamespaceDefaults defaults,
      NamespaceDefaultsObserver observer,
      NamespaceController termination,
      GarbageCollector garbage,
      QuotaController quotas,
      ProtectionController protection,
      ServerEndpoints endpoints,
      FlowControl flow,
      ResourceCatalog catalog,
      InstantSource clock) {
    return new Controllers(
        endpoints,
        ControllerLoop.every(
            "flow-defaults", FLOW_DEFAULTS_INTERVAL, flowControl(client, flow, clock)),
        defaultServiceCidr,
        ControllerLoop.every(
            "default-service-cidr", DefaultServiceCidr.INTERVAL, defaultServiceCidr::ensure),
        serviceNetwork,
        ControllerLoop.every(
            "identity-lease",
            IdentityLease.INTERVAL,
            new IdentityLease(client, clock, HostName.ofThisHost())::renew),
        StorageVersions.loop(client, catalog, clock),
        namespaces,
        defaults,
        observer,
        termination,
        garbage,
        quotas,
        protection);
  }

  private static ControllerLoop.Step flowControl(
      ResourceClient client, FlowControl flow, InstantSource clock) {
    FlowControlBootstrap objects = new FlowControlBootstrap(client);
    FlowSchemaReferences references = new FlowSchemaReferences(client, clock);
    return () -> {
      try {
        objects.ensure();
      } finally {
        flow.follow(references::ensure);
      }
      references.ensure();
    };
  }
}
