package dev.keelson.server;

import dev.keelson.admission.plugin.PluginName;
import dev.keelson.client.ResourceClient;
import dev.keelson.config.option.OpenAccessCheck;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.controller.bootstrap.IdentityLease;
import dev.keelson.controller.serviceaccount.TokenSource;
import dev.keelson.http.health.Metrics;
import dev.keelson.server.cache.CachedTokenSource;
import dev.keelson.server.cache.Reflectors;
import dev.keelson.server.controller.HostName;
import dev.keelson.server.identity.AuthenticationService;
import dev.keelson.server.identity.Authorization;
import dev.keelson.server.identity.AuthorizationMetrics;
import dev.keelson.server.identity.TokenUseMeters;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.server.metrics.IssuerMeters;
import dev.keelson.server.tls.Certificates;
import dev.keelson.server.tls.ServingKey;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** Produces the serving key, authentication and authorization. */
@Singleton
final class IdentityModule {

  @Produces
  @Singleton
  FileReloader files() {
    return new FileReloader();
  }

  @Produces
  @Singleton
  ServingKey servingKey(ServerOptions options, Certificates certificates, FileReloader files) {
    return ServingKey.of(options.serving(), certificates.serving(), files);
  }

  @Produces
  @Singleton
  Authorization authorization(
      ServerOptions options,
      Authorization.Feeds feeds,
      FileReloader files,
      Metrics metrics,
      InstantSource clock) {
    boolean nodeRestriction = options.admission().enabled().contains(PluginName.NODE_RESTRICTION);
    Authorization made =
        new Authorization(
            options.authorization(),
            nodeRestriction,
            options.features(),
            feeds,
            files,
            new AuthorizationMetrics(metrics),
            clock);
    checkExposure(options, made);
    return made;
  }

  @Produces
  @Singleton
  AuthenticationService identities(
      ServerOptions options,
      Certificates certificates,
      ResourceClient client,
      Reflectors<TokenSource.Kind> tokens,
      Metrics metrics,
      InstantSource clock,
      FileReloader files) {
    return AuthenticationService.open(
        options,
        certificates,
        client,
        new CachedTokenSource(tokens),
        new TokenUseMeters(metrics.registry()),
        new IssuerMeters(metrics, clock, () -> IdentityLease.name(HostName.ofThisHost())),
        clock,
        files);
  }

  /**
   * Flags are checked when they are parsed; the modes of a configuration file are known only here.
   */
  private static void checkExposure(ServerOptions options, Authorization authorization) {
    OpenAccessCheck.refusal(
            "--authorization-config",
            authorization.modes(),
            options.serving(),
            options.authentication().anonymous(),
            options.authorization().insecureExposure())
        .ifPresent(
            text -> {
              throw new StartupException(text, null);
            });
  }
}
