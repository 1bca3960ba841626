package dev.keelson.server;

import dev.keelson.aggregation.ApiServices;
import dev.keelson.client.ResourceClient;
import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.controller.aggregation.AutoRegistration;
import dev.keelson.controller.aggregation.AvailabilityController;
import dev.keelson.http.aggregation.AggregationProxy;
import dev.keelson.http.aggregation.ProxyIdentity;
import dev.keelson.http.aggregation.RemoteClients;
import dev.keelson.http.aggregation.RemoteDiscovery;
import dev.keelson.http.aggregation.RemoteFetch;
import dev.keelson.http.aggregation.RemoteOpenApi;
import dev.keelson.http.aggregation.Upstreams;
import dev.keelson.http.health.Metrics;
import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemPrivateKeys;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.StoredType;
import dev.keelson.server.cache.ApiServiceFeed;
import dev.keelson.server.cache.ServiceChanges;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.metrics.ApiServiceMeters;
import dev.keelson.server.pki.Identity;
import dev.keelson.server.registry.BuiltInSteps;
import dev.keelson.server.registry.ClusterServices;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.WatchCache;
import dev.keelson.webhook.CertificateFlaw;
import dev.keelson.webhook.ServiceResolver;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Produces API aggregation: the APIServices, their controllers, and the proxy to their servers. */
@Singleton
final class AggregationModule {

  @Produces
  @Singleton
  ApiServices apiServices() {
    return new ApiServices();
  }

  @Produces
  @Singleton
  ApiServiceFeed apiServiceFeed(
      ResourceCatalog catalog,
      ApiServices services,
      ResourceClient client,
      WatchCache cache,
      KeyLayout layout,
      ObjectCodec codec,
      InstantSource clock) {
    return new ApiServiceFeed(
        catalog,
        services,
        new AutoRegistration(catalog, services, client, clock),
        BuiltInSteps.stored(catalog, "apiregistration.k8s.io", "apiservices"),
        cache,
        layout,
        codec);
  }

  @Produces
  @Singleton
  RemoteClients remoteClients(
      Vertx vertx, ServerOptions options, FileReloader files, Metrics metrics) {
    return new RemoteClients(
        vertx,
        identity(options.aggregation().proxyClient(), files),
        flaw ->
            metrics.count(
                metric(flaw),
                "Connections to remote API servers whose certificate " + flaw.reason(),
                Map.of()));
  }

  private static String metric(CertificateFlaw flaw) {
    return switch (flaw) {
      case MISSING_SAN -> "apiserver_kube_aggregator_x509_missing_san_total";
      case INSECURE_SHA1 -> "apiserver_kube_aggregator_x509_insecure_sha1_total";
    };
  }

  private static Supplier<@Nullable ProxyIdentity> identity(
      @Nullable KeyPairFiles pair, FileReloader files) {
    if (pair == null) {
      return () -> null;
    }
    FileReloader.Current<ProxyIdentity> current =
        files.follow(
            "--proxy-client-cert-file",
            List.of(pair.certificate(), pair.key()),
            texts -> {
              Identity identity =
                  new Identity(
                      PemPrivateKeys.parse(pair.key().toString(), texts.get(1)),
                      PemCertificates.parse(pair.certificate().toString(), texts.get(0)));
              if (!identity.matches()) {
                throw new IllegalArgumentException(
                    pair.key() + " does not match the certificate " + pair.certificate());
              }
              return new ProxyIdentity(texts.get(0), texts.get(1));
            });
    return current::get;
  }

  @Produces
  @Singleton
  RemoteFetch remoteFetch(RemoteClients clients, ServiceResolver resolver) {
    return new RemoteFetch(clients, resolver);
  }

  @Produces
  @Singleton
  RemoteDiscovery remoteDiscovery(ApiServices services, RemoteFetch fetch) {
    return new RemoteDiscovery(services, fetch);
  }

  @Produces
  @Singleton
  RemoteOpenApi remoteOpenApi(ApiServices services, RemoteFetch fetch) {
    return new RemoteOpenApi(services, fetch);
  }

  @Produces
  @Singleton
  AggregationProxy proxy(
      ServerOptions options,
      ApiServices services,
      RemoteOpenApi openApi,
      RemoteClients clients,
      ServiceResolver resolver) {
    return new AggregationProxy(
        services,
        openApi,
        new Upstreams(clients, resolver, options.aggregation().rejectsRedirects()));
  }

  @Produces
  @Singleton
  RemoteApiServices remoteApiServices(
      ApiServices services,
      ResourceClient client,
      GenericRegistry registry,
      RemoteClients clients,
      RemoteFetch fetch,
      RemoteDiscovery discovery,
      RemoteOpenApi openApi,
      ResourceCatalog catalog,
      WatchCache cache,
      KeyLayout layout,
      Metrics metrics,
      InstantSource clock) {
    AvailabilityController availability =
        new AvailabilityController(
            services,
            client,
            new ClusterServices(catalog, () -> registry),
            fetch::check,
            new ApiServiceMeters(metrics.registry()),
            clock);
    ServiceChanges changes =
        new ServiceChanges(
            List.of(BuiltInSteps.stored(catalog, "", "services"), slices(catalog)),
            cache,
            layout,
            availability::serviceChanged);
    return new RemoteApiServices(services, availability, changes, discovery, openApi, clients);
  }

  private static StoredType slices(ResourceCatalog catalog) {
    return BuiltInSteps.stored(catalog, "discovery.k8s.io", "endpointslices");
  }
}
