package dev.keelson.server;

import dev.keelson.config.option.ServerOptions;
import dev.keelson.config.option.StorageOptions;
import dev.keelson.http.health.Metrics;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.server.encryption.EncryptionService;
import dev.keelson.server.registry.BuiltInSteps;
import dev.keelson.server.store.MeasuredStore;
import dev.keelson.server.store.OverrideStore;
import dev.keelson.server.store.StoredResources;
import dev.keelson.server.store.StoredTransformers;
import dev.keelson.server.store.TrackedStores;
import dev.keelson.server.store.WriteTrackingStore;
import dev.keelson.server.tls.Certificates;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.PartitionedStore;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.encryption.EncryptedStore;
import dev.keelson.storage.object.Expiry;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.storage.object.ObjectStore;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Produces the opened resources and the store with its decorators. */
@Singleton
final class StoreModule {

  @Produces
  @Singleton
  OpenedResources opened() {
    return LaunchContext.opened();
  }

  @Produces
  @Singleton
  ServerOptions options(OpenedResources opened) {
    return opened.options();
  }

  @Produces
  @Singleton
  Certificates certificates(OpenedResources opened) {
    return opened.certificates();
  }

  @Produces
  @Singleton
  InstantSource clock(OpenedResources opened) {
    return opened.clock();
  }

  @Produces
  @Singleton
  KeyLayout layout(ServerOptions options) {
    return new KeyLayout(options.storage().prefix());
  }

  @Produces
  @Singleton
  MeasuredStore measured(OpenedResources opened, ResourceCatalog catalog, Metrics metrics) {
    return measured(opened, opened.store(), catalog, metrics);
  }

  private static MeasuredStore measured(
      OpenedResources opened, RevisionedStore store, ResourceCatalog catalog, Metrics metrics) {
    return new MeasuredStore(
        store,
        new StoredResources(catalog, opened.options().storage().prefix()),
        opened.options().storage() instanceof StorageOptions.Etcd ? MeasuredStore.ETCD : "sqlite",
        metrics::recordStore);
  }

  /** All stores as one; each value is the bytes at rest. */
  private static RevisionedStore encoded(
      OpenedResources opened,
      MeasuredStore measured,
      KeyLayout layout,
      ResourceCatalog catalog,
      Metrics metrics) {
    if (opened.overrides().isEmpty()) {
      return measured;
    }
    Map<Bytes, RevisionedStore> byPrefix = new LinkedHashMap<>();
    for (OverrideStore override : opened.overrides()) {
      MeasuredStore part = measured(opened, override.store(), catalog, metrics);
      override.prefixes(catalog, layout).forEach(prefix -> byPrefix.put(prefix, part));
    }
    return new PartitionedStore(measured, byPrefix);
  }

  @Produces
  @Singleton
  TrackedStores tracked(
      OpenedResources opened,
      MeasuredStore measured,
      KeyLayout layout,
      ResourceCatalog catalog,
      Metrics metrics) {
    RevisionedStore encoded = encoded(opened, measured, layout, catalog, metrics);
    RevisionedStore store = plain(opened, encoded, catalog);
    WriteTrackingStore roles =
        WriteTrackingStore.of(store, layout, BuiltInSteps.storedRoles(catalog).values());
    WriteTrackingStore graph =
        WriteTrackingStore.of(roles, layout, BuiltInSteps.storedGraph(catalog).values());
    WriteTrackingStore identities =
        WriteTrackingStore.ofEnds(
            graph,
            layout,
            BuiltInSteps.storedBoundObjects(catalog),
            List.of(BuiltInSteps.stored(catalog, "", "secrets")));
    WriteTrackingStore definitions =
        WriteTrackingStore.of(identities, layout, List.of(BuiltInSteps.storedDefinitions(catalog)));
    WriteTrackingStore limits =
        WriteTrackingStore.of(
            definitions, layout, List.of(BuiltInSteps.stored(catalog, "", "limitranges")));
    WriteTrackingStore admission =
        WriteTrackingStore.of(
            limits,
            layout,
            Stream.concat(
                    BuiltInSteps.storedAdmission(catalog).stream(),
                    BuiltInSteps.storedAuditSinks(catalog).stream())
                .toList());
    WriteTrackingStore serviceCidrs =
        WriteTrackingStore.of(
            admission,
            layout,
            List.of(BuiltInSteps.stored(catalog, "networking.k8s.io", "servicecidrs")));
    WriteTrackingStore whole =
        WriteTrackingStore.of(serviceCidrs, layout, List.of(BuiltInSteps.storedNamespace(catalog)));
    return new TrackedStores(
        encoded, roles, graph, identities, definitions, limits, admission, serviceCidrs, whole);
  }

  /** The store with plain values; {@code encoded} itself without encryption. */
  private static RevisionedStore plain(
      OpenedResources opened, RevisionedStore encoded, ResourceCatalog catalog) {
    EncryptionService encryption = opened.encryption();
    if (encryption == null) {
      return encoded;
    }
    StoredTransformers transformers =
        new StoredTransformers(
            new StoredResources(catalog, opened.options().storage().prefix()),
            encryption::transformers);
    return encoded instanceof PartitionedStore several
        ? several.decorated(part -> new EncryptedStore(part, transformers))
        : new EncryptedStore(encoded, transformers);
  }

  @Produces
  @Singleton
  ObjectStore objects(
      TrackedStores stores, KeyLayout layout, ServerOptions options, InstantSource clock) {
    // in whole seconds, as kube-apiserver counts them
    Duration life = options.limits().eventTtl().truncatedTo(ChronoUnit.SECONDS);
    Map<String, Duration> lives = life.isZero() ? Map.of() : Map.of("events", life);
    return new ObjectStore(stores.whole(), layout, new Expiry(lives, clock));
  }
}
