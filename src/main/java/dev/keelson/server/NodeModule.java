package dev.keelson.server;

import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.KubeletOptions;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.http.health.Metrics;
import dev.keelson.http.node.AddressRule;
import dev.keelson.http.node.KubeletIdentity;
import dev.keelson.http.node.Kubelets;
import dev.keelson.http.node.Locations;
import dev.keelson.http.node.NodeClients;
import dev.keelson.http.node.NodeConnections;
import dev.keelson.http.node.RegistryObjects;
import dev.keelson.http.simulated.SimulatedPods;
import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemPrivateKeys;
import dev.keelson.registry.generic.GenericRegistry;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.server.controller.SimulatedText;
import dev.keelson.server.identity.Authorization;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.pki.Identity;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Produces the connections to nodes, pods and services. None is opened before it is needed. */
@Singleton
final class NodeModule {

  @Produces
  @Singleton
  NodeClients nodeClients(Vertx vertx, ServerOptions options, FileReloader files) {
    KubeletOptions kubelets = options.kubelets();
    return new NodeClients(vertx, identity(kubelets, files), kubelets.timeout());
  }

  private static Supplier<KubeletIdentity> identity(KubeletOptions options, FileReloader files) {
    Supplier<KubeletIdentity> shown = pair(options.client(), files);
    Supplier<String> trusted = authority(options.authority(), files);
    return () -> {
      KubeletIdentity pair = shown.get();
      return new KubeletIdentity(pair.certificate(), pair.key(), trusted.get());
    };
  }

  private static Supplier<KubeletIdentity> pair(@Nullable KeyPairFiles pair, FileReloader files) {
    if (pair == null) {
      return () -> KubeletIdentity.NONE;
    }
    return files.follow(
            "--kubelet-client-certificate",
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
              return new KubeletIdentity(texts.get(0), texts.get(1), "");
            })
        ::get;
  }

  private static Supplier<String> authority(@Nullable Path file, FileReloader files) {
    if (file == null) {
      return () -> "";
    }
    return files.follow(
            "--kubelet-certificate-authority",
            List.of(file),
            texts -> {
              var unused = PemCertificates.parse(file.toString(), texts.getFirst());
              return texts.getFirst();
            })
        ::get;
  }

  @Produces
  @Singleton
  NodeConnections nodeConnections(
      ServerOptions options,
      NodeClients clients,
      ResourceCatalog catalog,
      GenericRegistry registry,
      Authorization authorization,
      Metrics metrics,
      InstantSource clock) {
    KubeletOptions kubelets = options.kubelets();
    return new NodeConnections(
        clients,
        new Locations(
            new RegistryObjects(catalog, registry),
            new Kubelets(kubelets.addressTypes(), kubelets.port()),
            new AddressRule(kubelets.localAddresses()),
            new SecureRandom()),
        authorization.authorizer(),
        options.features(),
        (subresource, direct) ->
            metrics.count(
                "apiserver_websocket_streaming_requests_total",
                "Total number of WebSocket streaming requests (exec/attach/portforward) routed by"
                    + " the API server, labeled by subresource and proxy_type. proxy_type is"
                    + " proxied_to_kubelet when the kubelet handles the request directly; otherwise"
                    + " translated_at_apiserver.",
                Map.of(
                    "subresource",
                    subresource,
                    "proxy_type",
                    direct ? "proxied_to_kubelet" : "translated_at_apiserver")),
        new SimulatedPods(SimulatedText.of(options.controllers().stages())),
        clock);
  }
}
