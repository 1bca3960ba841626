package dev.keelson.server;

import dev.keelson.config.option.ControllerOptions;
import dev.keelson.controller.admission.PolicyStatusController;
import dev.keelson.controller.bootstrap.IdentityLease;
import dev.keelson.controller.customresource.DefinitionController;
import dev.keelson.controller.serviceaccount.TokenSource;
import dev.keelson.controller.storage.ProtectionSource;
import dev.keelson.http.health.Metrics;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.server.audit.Auditing;
import dev.keelson.server.cache.ApiServiceFeed;
import dev.keelson.server.cache.CachedNamespaces;
import dev.keelson.server.cache.CachedServiceNetwork;
import dev.keelson.server.cache.CachedTypes;
import dev.keelson.server.cache.CustomResourceFeed;
import dev.keelson.server.cache.PolicyFeed;
import dev.keelson.server.cache.Reflectors;
import dev.keelson.server.cache.RetiredTypes;
import dev.keelson.server.cache.ServiceCidrFeed;
import dev.keelson.server.cache.WebhookFeed;
import dev.keelson.server.controller.ControlPlane;
import dev.keelson.server.controller.Controllers;
import dev.keelson.server.controller.HostName;
import dev.keelson.server.controller.StorageVersions;
import dev.keelson.server.controller.WorkQueueMeters;
import dev.keelson.server.encryption.EncryptionService;
import dev.keelson.server.flow.FlowControl;
import dev.keelson.server.identity.AuthenticationService;
import dev.keelson.server.identity.Authorization;
import dev.keelson.server.identity.RegistryRoles;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.IdleHeapTrim;
import dev.keelson.server.lifecycle.Lifecycle;
import dev.keelson.server.lifecycle.StartProgress;
import dev.keelson.server.metrics.ConfigurationReloads;
import dev.keelson.server.quota.NamespaceLimits;
import dev.keelson.server.store.Compactions;
import dev.keelson.server.store.DecryptionCheck;
import dev.keelson.server.store.TrackedStores;
import dev.keelson.server.tracing.Traces;
import dev.keelson.storage.Change;
import dev.keelson.storage.encryption.ResourceTransformers;
import dev.keelson.storage.object.ObjectStore;
import dev.keelson.watch.WatchCache;
import dev.keelson.webhook.WebhookClient;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Produces the start order of the parts; they stop in reverse order. */
@Singleton
final class LifecycleModule {

  @Produces
  @Singleton
  Lifecycle lifecycle(
      OpenedResources opened,
      Auditing auditing,
      Traces traces,
      ServerAddress address,
      WatchCache cache,
      CachedTypes cached,
      ObjectStore objects,
      TrackedStores stores,
      CustomResourceFeed customResources,
      DefinitionController definitions,
      RetiredTypes retired,
      Compactions compaction,
      Authorization authorization,
      AuthenticationService identities,
      ApiServiceFeed apiServices,
      RemoteApiServices remoteApiServices,
      Reflectors<TokenSource.Kind> tokens,
      Reflectors<ProtectionSource.Kind> volumes,
      WebhookFeed webhookFeed,
      PolicyFeed policies,
      PolicyStatusController policyStatus,
      CachedNamespaces knownNamespaces,
      NamespaceLimits namespaceLimits,
      FileReloader files,
      Metrics metrics,
      ResourceCatalog catalog,
      GenericRegistry registry,
      WebhookClient webhooks,
      ServiceCidrFeed serviceCidrs,
      CachedServiceNetwork serviceNetwork,
      Controllers controllers,
      FlowControl flow,
      ControlPlane controlPlane,
      StartProgress progress) {
    ControllerOptions enabled = opened.options().controllers();
    WorkQueueMeters queues = new WorkQueueMeters(metrics.registry());
    Stream.of(definitions, policyStatus, identities, remoteApiServices, controllers)
        .forEach(each -> each.measure(queues));
    IdleHeapTrim heap = IdleHeapTrim.ofProcess();
    RegistryRoles roles = new RegistryRoles(catalog, registry);
    return new Lifecycle(progress)
        .add("store", opened::closeStores)
        .add(
            "encryption",
            () ->
                startEncryption(
                    opened,
                    metrics,
                    told(new DecryptionCheck(catalog, objects, opened.clock(), cached::leaveOut))),
            () -> stopEncryption(opened))
        // started by its module; stopped late, since every part above makes events
        .add("audit", auditing)
        .add("tracing", traces)
        .add("webhooks", webhooks)
        .add("watch cache", cache)
        .add("definitions", definitions)
        .add("retired types", retired)
        .add(
            "custom resources",
            () -> customResources.start(listener(definitions, retired)),
            customResources)
        .add("token feed", tokens)
        .add("volume feed", volumes)
        .add("admission webhooks", webhookFeed)
        .add("admission policies", () -> policies.start(policyStatus::changed), policies)
        .add("admission policy status", policyStatus::start, policyStatus)
        .add("known namespaces", knownNamespaces)
        .add(
            "files", () -> files.start(reloads(files, metrics, identities, knownNamespaces)), files)
        .add("service ranges", serviceCidrs)
        .add("service network feed", serviceNetwork)
        .add(
            "default service range",
            () -> {
              controllers.defaultServiceCidr().ensure();
              controllers.defaultServiceCidrLoop().startAfterInterval();
            },
            controllers.defaultServiceCidrLoop())
        .add(
            "server endpoints",
            () -> controllers.endpoints().start(address.place()),
            controllers.endpoints())
        .add("authorization", () -> authorization.start(roles), authorization)
        // followed when the default objects are there
        .add("flow control", flow)
        .add("flow defaults", controllers.flowDefaults()::start, controllers.flowDefaults())
        .add("namespace termination", controllers.termination())
        .add(
            "namespace listeners",
            () -> controllers.followNamespaces(enabled.enabled("namespace-controller")),
            () -> {})
        .add("namespaces", controllers.namespaces()::start, controllers.namespaces())
        .add("namespace defaults", controllers.defaults()::start, controllers.defaults())
        .add("namespace observer", () -> cache.observe(controllers.observer()), () -> {})
        .add("write marks", () -> cache.observe(onLoss(stores)), () -> {})
        .add("identity lease", controllers.identity()::start, controllers.identity())
        .add(
            "storage versions",
            StorageVersions.areServed(catalog) ? controllers.storageVersions()::start : () -> {},
            controllers.storageVersions())
        .add("service network", controllers.serviceNetwork()::start, controllers.serviceNetwork())
        .add(
            "garbage collection",
            starts(enabled, "garbage-collector-controller", controllers.garbage()::start),
            controllers.garbage())
        .add("namespace limits", namespaceLimits)
        .add(
            "quotas",
            starts(enabled, "resourcequota-controller", controllers.quotas()::start),
            controllers.quotas())
        .add(
            "protection",
            starts(
                enabled,
                "persistentvolumeclaim-protection-controller",
                controllers.protection()::start),
            controllers.protection())
        .add("compaction", compaction::start, compaction)
        .add("identities", identities::start, identities)
        .add("api services", apiServices::start, apiServices)
        .add("remote api services", remoteApiServices::start, remoteApiServices)
        .add("idle heap trim", heap::start, heap)
        // started by the server when it has answered that it is ready
        .add("control plane", controlPlane);
  }

  /** Forgets the last writes when the feed was lost, as by a store restored from a backup. */
  private static WatchCache.Observer onLoss(TrackedStores stores) {
    return new WatchCache.Observer() {
      @Override
      public void changed(List<Change> changes) {}

      // before readers of a cache that is reset wait for revisions that the store has lost
      @Override
      public void losing() {
        stores.forget();
      }

      @Override
      public void lost() {}
    };
  }

  private static void startEncryption(
      OpenedResources opened, Metrics metrics, EncryptionService.Reloads reloads) {
    EncryptionService.declare(metrics);
    if (opened.encryption() != null) {
      opened.encryption().start(metrics, serverId(), reloads);
    }
  }

  private static EncryptionService.Reloads told(DecryptionCheck check) {
    return new EncryptionService.Reloads() {
      @Override
      public void replaced(ResourceTransformers before, ResourceTransformers after) {
        check.replaced(before, after);
      }

      @Override
      public void looked() {
        check.again();
      }
    };
  }

  private static String serverId() {
    return IdentityLease.name(HostName.ofThisHost());
  }

  private static void stopEncryption(OpenedResources opened) {
    if (opened.encryption() != null) {
      opened.encryption().close();
    }
  }

  /** The start of a controller of every server; nothing if it is switched off. */
  private static Runnable starts(ControllerOptions controllers, String name, Runnable start) {
    return controllers.enabled(name) ? start : () -> {};
  }

  private static CustomResourceFeed.Listener listener(
      DefinitionController definitions, RetiredTypes retired) {
    return new CustomResourceFeed.Listener() {
      @Override
      public void changed(ApiObject definition) {
        definitions.changed(definition);
      }

      @Override
      public void gone(String name) {
        definitions.gone(name);
        retired.gone(name);
      }
    };
  }

  /** Counts each reload of a file and notifies the parts that depend on files. */
  private static FileReloader.Reloads reloads(
      FileReloader files,
      Metrics metrics,
      AuthenticationService identities,
      CachedNamespaces namespaces) {
    ConfigurationReloads configurations =
        new ConfigurationReloads(files, metrics, InstantSource.system(), LifecycleModule::serverId);
    return (flag, outcome) -> {
      configurations.reloaded(flag, outcome);
      metrics.count(
          "keelson_file_reloads_total",
          "Changed files that were applied, or rejected because they are invalid.",
          Map.of("flag", flag, "status", outcome));
      identities.filesChanged();
      namespaces.authorizerChanged();
    };
  }
}
