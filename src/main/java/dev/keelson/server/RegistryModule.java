package dev.keelson.server;

import dev.keelson.admission.Admission;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.admission.limits.LimitRanger;
import dev.keelson.admission.plugin.PluginChain;
import dev.keelson.admission.plugin.PluginName;
import dev.keelson.admission.plugin.PluginOptions;
import dev.keelson.admission.policy.MutatingPolicies;
import dev.keelson.admission.policy.ParamAuthorization;
import dev.keelson.admission.policy.PolicyContext;
import dev.keelson.admission.policy.ValidatingPolicies;
import dev.keelson.admission.quota.LimitedResource;
import dev.keelson.admission.quota.QuotaAdmission;
import dev.keelson.admission.webhook.MutatingWebhooks;
import dev.keelson.admission.webhook.ValidatingWebhooks;
import dev.keelson.admission.webhook.WebhookCaller;
import dev.keelson.admission.webhook.WebhookMetrics;
import dev.keelson.client.ResourceClient;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.config.option.ServingOptions;
import dev.keelson.controller.bootstrap.SystemObjects;
import dev.keelson.http.health.Metrics;
import dev.keelson.quota.Evaluators;
import dev.keelson.quota.UsageFences;
import dev.keelson.registry.NamespaceLifecycle;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.registry.namespace.NamespaceAutoProvision;
import dev.keelson.registry.namespace.NamespaceInformer;
import dev.keelson.registry.read.ObjectStates;
import dev.keelson.registry.service.AddressBlock;
import dev.keelson.registry.service.ServiceRanges;
import dev.keelson.registry.write.WriteSteps;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.server.cache.PolicyFeed;
import dev.keelson.server.cache.ServiceCidrFeed;
import dev.keelson.server.cache.WebhookFeed;
import dev.keelson.server.identity.Authorization;
import dev.keelson.server.identity.EscalationAdmission;
import dev.keelson.server.identity.KubeconfigReviews;
import dev.keelson.server.identity.LoopbackCredentials;
import dev.keelson.server.identity.WebhookCredentials;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.server.metrics.ClientMeters;
import dev.keelson.server.quota.LocalDeviceClasses;
import dev.keelson.server.quota.LocalQuotaAccess;
import dev.keelson.server.quota.NamespaceLimits;
import dev.keelson.server.quota.StoredUsageFences;
import dev.keelson.server.registry.AdmissionFile;
import dev.keelson.server.registry.AdmissionMeters;
import dev.keelson.server.registry.BuiltInSteps;
import dev.keelson.server.registry.ClusterServices;
import dev.keelson.server.registry.ConfiguredPlugins;
import dev.keelson.server.registry.DeviceAdminAccess;
import dev.keelson.server.registry.DeviceStatusRights;
import dev.keelson.server.registry.ExpressionMeters;
import dev.keelson.server.registry.LocalClusterObjects;
import dev.keelson.server.registry.PolicyMetrics;
import dev.keelson.server.registry.ServiceAllocators;
import dev.keelson.server.registry.ServiceMetrics;
import dev.keelson.server.registry.WebhookCallMetrics;
import dev.keelson.server.store.MeasuredStore;
import dev.keelson.server.store.TrackedStores;
import dev.keelson.server.tls.Certificates;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.storage.object.ObjectStore;
import dev.keelson.storage.object.SharedSecret;
import dev.keelson.watch.Cacher;
import dev.keelson.watch.WatchCache;
import dev.keelson.webhook.CertificateFlaw;
import dev.keelson.webhook.ClusterAddresses;
import dev.keelson.webhook.EndpointAddresses;
import dev.keelson.webhook.ServiceResolver;
import dev.keelson.webhook.WebhookClient;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Provider;
import jakarta.inject.Singleton;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Produces the registry, the write steps and the local client. Admission and namespace provisioning
 * are clients of the registry that uses them: they get it from the injector on the first request.
 */
@Singleton
final class RegistryModule {

  @Produces
  @Singleton
  NamespaceInformer namespaces(ObjectStore objects, ObjectCodec codec, ResourceCatalog catalog) {
    return new NamespaceInformer(objects, codec, BuiltInSteps.storedNamespace(catalog));
  }

  @Produces
  @Singleton
  ServiceResolver services(
      ServerOptions options,
      ResourceCatalog catalog,
      Provider<GenericRegistry> registry,
      ServerAddress address) {
    ClusterServices services = new ClusterServices(catalog, registry::get);
    return ServiceResolver.withLoopback(
        () -> InetSocketAddress.createUnresolved(address.host().getHostAddress(), address.port()),
        options.aggregation().endpointRouting()
            ? new EndpointAddresses(services, new SecureRandom())
            : new ClusterAddresses(services));
  }

  @Produces
  @Singleton
  WebhookClient webhooks(ServiceResolver services, Metrics metrics) {
    return new WebhookClient(
        services,
        flaw -> metrics.count(metric(flaw), help(flaw), Map.of()),
        new ClientMeters(metrics.registry()));
  }

  @Produces
  @Singleton
  ServiceMetrics serviceMetrics(Metrics metrics) {
    return new ServiceMetrics(metrics);
  }

  @Produces
  @Singleton
  ServiceAllocators serviceAllocators(
      ServerOptions options,
      ProtoSchemas schemas,
      ResourceCatalog catalog,
      ObjectStore objects,
      ObjectCodec codec,
      InstantSource clock,
      ServiceCidrFeed cidrs,
      WatchCache cache,
      KeyLayout layout,
      ServiceMetrics metrics) {
    StoredType addresses = ServiceAllocators.storedAddresses(catalog);
    Cacher cached = cache.type(layout.range(addresses, "").start());
    return ServiceAllocators.of(
        catalog,
        schemas::struct,
        objects,
        codec,
        clock,
        serviceRanges(options.serving()),
        cidrs,
        address -> cached.any().get(layout.key(addresses, "", address)) != null,
        metrics,
        new SecureRandom());
  }

  @Produces
  @Singleton
  Evaluators evaluators(
      ResourceCatalog catalog, Provider<GenericRegistry> registry, InstantSource clock) {
    return new Evaluators(
        new LocalDeviceClasses(new LocalClusterObjects(catalog, registry::get)), clock);
  }

  @Produces
  @Singleton
  UsageFences usageFences(MeasuredStore store, KeyLayout layout) {
    return new StoredUsageFences(store, layout);
  }

  @Produces
  @Singleton
  WriteSteps steps(
      ServerOptions options,
      ResourceCatalog catalog,
      ObjectCodec codec,
      InstantSource clock,
      ServiceAllocators services,
      Authorization authorization,
      NamespaceLimits limits,
      UsageFences fences,
      Evaluators evaluators,
      PolicyFeed policies,
      Provider<ResourceClient> client,
      WebhookFeed webhookFeed,
      WebhookClient webhookClient,
      Provider<GenericRegistry> registry,
      FileReloader files,
      Certificates certificates,
      Metrics metrics) {
    ClusterObjects clusterObjects = new LocalClusterObjects(catalog, registry::get);
    PluginOptions pluginOptions = AdmissionFile.read(options.admission());
    AdmissionMeters meters = new AdmissionMeters(metrics.registry());
    ConfiguredPlugins configured =
        new ConfiguredPlugins(
            pluginOptions,
            clusterObjects,
            authorization.authorizer(),
            catalog,
            clock,
            path -> KubeconfigReviews.of(files, "--admission-control-config-file", path));
    Map<PluginName, Admission> others = configured.create(meters);
    others.put(PluginName.LIMIT_RANGER, new LimitRanger(limits.limitRanges()::in));
    others.put(
        PluginName.RESOURCE_QUOTA,
        new QuotaAdmission(
            new LocalQuotaAccess(limits.quotas(), client::get),
            fences,
            evaluators,
            limitedResources(pluginOptions)));
    WebhookMetrics webhookMetrics = new WebhookCallMetrics(metrics);
    others.put(
        PluginName.MUTATING_ADMISSION_WEBHOOK,
        new MutatingWebhooks(
            webhookFeed,
            caller(
                webhookClient, certificates, pluginOptions, PluginName.MUTATING_ADMISSION_WEBHOOK),
            catalog,
            webhookMetrics));
    others.put(
        PluginName.VALIDATING_ADMISSION_WEBHOOK,
        new ValidatingWebhooks(
            webhookFeed,
            caller(
                webhookClient,
                certificates,
                pluginOptions,
                PluginName.VALIDATING_ADMISSION_WEBHOOK),
            catalog,
            webhookMetrics));
    PolicyContext policyContext =
        new PolicyContext(
            policies.store(),
            clusterObjects,
            catalog,
            authorization.authorizer(),
            new PolicyMetrics(metrics));
    others.put(PluginName.MUTATING_ADMISSION_POLICY, new MutatingPolicies(policyContext));
    others.put(PluginName.VALIDATING_ADMISSION_POLICY, new ValidatingPolicies(policyContext));
    Admission plugins =
        new DeviceAdminAccess(
            clusterObjects,
            new DeviceStatusRights(
                authorization.authorizer(),
                PluginChain.of(
                    pluginOptions,
                    clusterObjects,
                    authorization.authorizer(),
                    new SecureRandom(),
                    others,
                    meters)));
    return BuiltInSteps.of(
        catalog,
        codec,
        clock,
        services.strategy(),
        new EscalationAdmission(
            authorization.escalation(),
            new ParamAuthorization(clusterObjects, catalog, authorization.authorizer(), plugins)),
        options.features(),
        new ExpressionMeters(metrics.registry()),
        options.privileged());
  }

  private static String metric(CertificateFlaw flaw) {
    return switch (flaw) {
      case MISSING_SAN -> "apiserver_webhooks_x509_missing_san_total";
      case INSECURE_SHA1 -> "apiserver_webhooks_x509_insecure_sha1_total";
    };
  }

  private static String help(CertificateFlaw flaw) {
    return "Calls of webhooks whose certificate " + flaw.reason();
  }

  private static WebhookCaller caller(
      WebhookClient client, Certificates certificates, PluginOptions options, PluginName plugin) {
    return new WebhookCaller(
        () -> client,
        new LoopbackCredentials(
            certificates, WebhookCredentials.of(options.configuration(plugin), System::nanoTime)),
        UUID::randomUUID);
  }

  private static List<LimitedResource> limitedResources(PluginOptions options) {
    try {
      return options
          .configuration(PluginName.RESOURCE_QUOTA)
          .map(given -> LimitedResource.ofConfiguration(given.content(LimitedResource.KINDS)))
          .orElse(List.of());
    } catch (IllegalArgumentException e) {
      throw new StartupException(
          "--admission-control-config-file: ResourceQuota: " + e.getMessage(), e);
    }
  }

  @Produces
  @Singleton
  GenericRegistry registry(
      ServerOptions options,
      ObjectStore objects,
      TrackedStores stores,
      ObjectStates states,
      KeyLayout layout,
      ObjectCodec codec,
      ResourceCatalog catalog,
      WriteSteps steps,
      NamespaceInformer namespaces,
      Provider<ResourceClient> client,
      InstantSource clock) {
    NamespaceLifecycle gate =
        options.admission().enabled().contains(PluginName.NAMESPACE_AUTO_PROVISION)
            ? new NamespaceAutoProvision(
                namespaces, name -> SystemObjects.createNamespace(client.get(), name))
            : namespaces;
    return new GenericRegistry(
        objects,
        stores.whole(),
        states,
        new SharedSecret(stores.whole(), layout.own("continue-key")),
        codec,
        catalog,
        steps,
        gate,
        new SecureRandom(),
        clock);
  }

  @Produces
  @Singleton
  ResourceClient client(
      ResourceCatalog catalog, GenericRegistry registry, TrackedStores stores, KeyLayout layout) {
    return new LocalResourceClient(
        catalog, registry, type -> stores.identities().lastWrite(layout.range(type, "").start()));
  }

  private static ServiceRanges serviceRanges(ServingOptions options) {
    return new ServiceRanges(
        options.serviceRanges().stream().map(AddressBlock::new).toList(),
        options.nodePorts().first(),
        options.nodePorts().last());
  }
}
