package dev.keelson.server;

import dev.keelson.admission.webhook.MatchingFilter;
import dev.keelson.authz.rbac.RoleSource;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.config.option.StorageOptions;
import dev.keelson.controller.service.NetworkChanges;
import dev.keelson.controller.serviceaccount.TokenSource;
import dev.keelson.controller.storage.ProtectionSource;
import dev.keelson.http.health.Metrics;
import dev.keelson.quota.Quota;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.read.ObjectStates;
import dev.keelson.registry.write.CustomTypeLifecycle;
import dev.keelson.schema.CustomResourceRows;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.server.cache.CachedNamespaces;
import dev.keelson.server.cache.CachedServiceNetwork;
import dev.keelson.server.cache.CachedTypes;
import dev.keelson.server.cache.CustomResourceFeed;
import dev.keelson.server.cache.NamespaceIndex;
import dev.keelson.server.cache.PolicyFeed;
import dev.keelson.server.cache.Reflectors;
import dev.keelson.server.cache.RetiredTypes;
import dev.keelson.server.cache.ServiceCidrFeed;
import dev.keelson.server.cache.WebhookFeed;
import dev.keelson.server.identity.Authorization;
import dev.keelson.server.metrics.CacheMeters;
import dev.keelson.server.quota.NamespaceLimits;
import dev.keelson.server.registry.BuiltInSteps;
import dev.keelson.server.registry.LocalClusterObjects;
import dev.keelson.server.store.Compaction;
import dev.keelson.server.store.Compactions;
import dev.keelson.server.store.StoredResources;
import dev.keelson.server.store.TrackedStores;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.storage.object.ObjectStore;
import dev.keelson.watch.Retention;
import dev.keelson.watch.WatchCache;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;

/** Produces the watch cache and its reflectors. */
@Singleton
final class WatchModule {

  @Produces
  @Singleton
  CacheMeters cacheMeters(Metrics metrics, ResourceCatalog catalog, ServerOptions options) {
    StoredResources resources = new StoredResources(catalog, options.storage().prefix());
    return new CacheMeters(metrics.registry(), resources::of);
  }

  @Produces
  @Singleton
  WatchCache cache(
      TrackedStores stores, KeyLayout layout, InstantSource clock, CacheMeters meters) {
    return new WatchCache(stores.whole(), layout.prefix(), clock, Retention.ofMemory(), meters);
  }

  @Produces
  @Singleton
  ObjectStates states(
      TrackedStores stores,
      KeyLayout layout,
      WatchCache cache,
      CachedTypes cached,
      CacheMeters meters) {
    return new ObjectStates(stores.whole(), layout, cache, cached, meters);
  }

  @Produces
  @Singleton
  CachedTypes cachedTypes(ResourceCatalog catalog, ServerOptions options) {
    return new CachedTypes(catalog, options.cache());
  }

  @Produces
  @Singleton
  RetiredTypes retiredTypes(
      ResourceCatalog catalog,
      WatchCache cache,
      KeyLayout layout,
      CachedTypes cached,
      ObjectStore objects) {
    return new RetiredTypes(
        catalog, cache, layout, cached, new CustomTypeLifecycle(catalog, objects));
  }

  @Produces
  @Singleton
  CustomResourceFeed customResources(
      ResourceCatalog catalog,
      ProtoSchemas schemas,
      TrackedStores stores,
      WatchCache cache,
      KeyLayout layout,
      ObjectCodec codec) {
    return new CustomResourceFeed(
        catalog,
        new CustomResourceRows(schemas::struct),
        BuiltInSteps.storedDefinitions(catalog),
        cache,
        layout,
        stores.definitions(),
        codec);
  }

  @Produces
  @Singleton
  WebhookFeed webhooks(
      ResourceCatalog catalog,
      TrackedStores stores,
      WatchCache cache,
      KeyLayout layout,
      ObjectCodec codec,
      Authorization authorization,
      Provider<GenericRegistry> registry) {
    MatchingFilter.Context context =
        new MatchingFilter.Context(
            catalog, new LocalClusterObjects(catalog, registry::get), authorization.authorizer());
    return new WebhookFeed(
        new Reflectors<>(
            BuiltInSteps.storedWebhooks(catalog), cache, layout, stores.admission(), codec),
        hook -> new MatchingFilter(hook, context));
  }

  @Produces
  @Singleton
  PolicyFeed policies(
      ResourceCatalog catalog,
      TrackedStores stores,
      WatchCache cache,
      KeyLayout layout,
      ObjectCodec codec) {
    return new PolicyFeed(
        new Reflectors<>(
            BuiltInSteps.storedPolicies(catalog), cache, layout, stores.admission(), codec));
  }

  @Produces
  @Singleton
  Compactions compactions(TrackedStores stores, ServerOptions options, WatchCache cache) {
    StorageOptions storage = options.storage();
    Compaction.Window window =
        new Compaction.Window(
            storage.compactionInterval(),
            storage.historyRetention(),
            /* exclusive= */ storage instanceof StorageOptions.Sqlite);
    return new Compactions(
        stores.whole().parts().stream()
            .map(part -> new Compaction(part, window, revision -> cache.compact(part, revision)))
            .toList());
  }

  @Produces
  @Singleton
  Authorization.Feeds decisionFeeds(
      ResourceCatalog catalog,
      TrackedStores stores,
      WatchCache cache,
      KeyLayout layout,
      ObjectCodec codec) {
    return new Authorization.Feeds(
        new Reflectors<>(BuiltInSteps.storedRoles(catalog), cache, layout, stores.roles(), codec),
        new Reflectors<>(BuiltInSteps.storedGraph(catalog), cache, layout, stores.graph(), codec));
  }

  @Produces
  @Singleton
  Reflectors<TokenSource.Kind> tokens(
      ResourceCatalog catalog,
      TrackedStores stores,
      WatchCache cache,
      KeyLayout layout,
      ObjectCodec codec) {
    return new Reflectors<>(
        BuiltInSteps.storedTokens(catalog), cache, layout, stores.whole(), codec);
  }

  @Produces
  @Singleton
  NamespaceLimits namespaceLimits(
      ResourceCatalog catalog,
      TrackedStores stores,
      WatchCache cache,
      KeyLayout layout,
      ObjectCodec codec) {
    StoredType limitRanges = BuiltInSteps.stored(catalog, "", "limitranges");
    Bytes ofLimitRanges = layout.range(limitRanges, "").start();
    return new NamespaceLimits(
        new NamespaceIndex<>(
            BuiltInSteps.stored(catalog, "", "resourcequotas"),
            cache,
            layout,
            codec,
            Quota::of,
            // a quota has no effect before the controller has measured its usage
            () -> 0),
        new NamespaceIndex<>(
            limitRanges,
            cache,
            layout,
            codec,
            (object, revision) -> object,
            () -> stores.limits().lastWrite(ofLimitRanges)));
  }

  @Produces
  @Singleton
  Reflectors<ProtectionSource.Kind> volumes(
      ResourceCatalog catalog,
      TrackedStores stores,
      WatchCache cache,
      KeyLayout layout,
      ObjectCodec codec) {
    return new Reflectors<>(
        BuiltInSteps.storedVolumes(catalog), cache, layout, stores.whole(), codec);
  }

  @Produces
  @Singleton
  ServiceCidrFeed serviceCidrs(
      ResourceCatalog catalog,
      TrackedStores stores,
      WatchCache cache,
      KeyLayout layout,
      ObjectCodec codec) {
    return new ServiceCidrFeed(
        new Reflectors<>(
            Map.of(
                ServiceCidrFeed.Kind.SERVICE_CIDR,
                BuiltInSteps.stored(catalog, "networking.k8s.io", "servicecidrs")),
            cache,
            layout,
            stores.serviceCidrs(),
            codec));
  }

  @Produces
  @Singleton
  CachedServiceNetwork serviceNetwork(
      ResourceCatalog catalog,
      TrackedStores stores,
      WatchCache cache,
      KeyLayout layout,
      ObjectCodec codec) {
    Map<NetworkChanges.Kind, StoredType> types = new EnumMap<>(NetworkChanges.Kind.class);
    for (NetworkChanges.Kind kind : NetworkChanges.Kind.values()) {
      types.put(
          kind, BuiltInSteps.stored(catalog, kind.resource().group(), kind.resource().resource()));
    }
    // without the writes of this server: a repair reads what it changes again
    return new CachedServiceNetwork(
        new Reflectors<>(types, cache, layout, stores.serviceCidrs(), codec));
  }

  @Produces
  @Singleton
  CachedNamespaces knownNamespaces(
      ResourceCatalog catalog,
      TrackedStores stores,
      WatchCache cache,
      KeyLayout layout,
      ObjectCodec codec,
      Authorization authorization) {
    Reflectors<CachedNamespaces.Kind> namespaces =
        new Reflectors<>(
            Map.of(CachedNamespaces.Kind.NAMESPACE, BuiltInSteps.storedNamespace(catalog)),
            cache,
            layout,
            stores.whole(),
            codec);
    Reflectors<RoleSource.Kind> roles = authorization.feeds().roles();
    return new CachedNamespaces(namespaces, roles, authorization.decidingRoles());
  }
}
