package dev.keelson.server;

import dev.keelson.config.option.ServerOptions;
import dev.keelson.config.option.StorageOptions;
import dev.keelson.http.health.Metrics;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.server.encryption.EncryptionService;
import dev.keelson.server.registry.BuiltInSteps;
import dev.keelson.server.store.MeasuredStore;
import dev.keelson.server.store.StoredResources;
import dev.keelson.server.store.StoredTransformers;
import dev.keelson.server.store.TrackedStores;
import dev.keelson.server.store.WriteTrackingStore;
import dev.keelson.server.tls.Certificates;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.encryption.EncryptedStore;
import dev.keelson.storage.object.Expiry;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.storage.object.ObjectStore;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;
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
    return new MeasuredStore(
        opened.store(),
        new StoredResources(catalog, opened.options().storage().prefix()),
        opened.options().storage() instanceof StorageOptions.Etcd ? "etcd3" : "sqlite",
        metrics::recordStore);
  }

  @Produces
  @Singleton
  TrackedStores tracked(
      OpenedResources opened, MeasuredStore measured, KeyLayout layout, ResourceCatalog catalog) {
    RevisionedStore store = encrypted(opened, measured, catalog);
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
        roles, graph, identities, definitions, limits, admission, serviceCidrs, whole);
  }

  /** The store with plain values; {@code measured} itself without encryption. */
  private static RevisionedStore encrypted(
      OpenedResources opened, MeasuredStore measured, ResourceCatalog catalog) {
    EncryptionService encryption = opened.encryption();
    return encryption == null
        ? measured
        : new EncryptedStore(
            measured,
            new StoredTransformers(
                new StoredResources(catalog, opened.options().storage().prefix()),
                encryption::transformers));
  }

  @Produces
  @Singleton
  ObjectStore objects(
      TrackedStores stores, KeyLayout layout, ServerOptions options, InstantSource clock) {
    Expiry expiry = new Expiry(Map.of("events", options.limits().eventTtl()), clock);
    return new ObjectStore(stores.whole(), layout, expiry);
  }
}
