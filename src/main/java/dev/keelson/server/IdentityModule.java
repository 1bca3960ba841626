package dev.keelson.server;

import dev.keelson.admission.plugin.PluginName;
import dev.keelson.client.ResourceClient;
import dev.keelson.config.option.Exposure;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.controller.serviceaccount.TokenSource;
import dev.keelson.server.cache.Reflectors;
import dev.keelson.server.cache.StoredTokens;
import dev.keelson.server.identity.Authorization;
import dev.keelson.server.identity.Identities;
import dev.keelson.server.lifecycle.FileWatch;
import dev.keelson.server.lifecycle.StartException;
import dev.keelson.server.tls.Certificates;
import dev.keelson.server.tls.ServingKey;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.InstantSource;

/** The server's own identity, authentication and authorization. */
@Singleton
final class IdentityModule {

  @Produces
  @Singleton
  FileWatch files() {
    return new FileWatch();
  }

  @Produces
  @Singleton
  ServingKey servingKey(ServerOptions options, Certificates certificates, FileWatch files) {
    return ServingKey.of(options.serving(), certificates.serving(), files);
  }

  @Produces
  @Singleton
  Authorization authorization(
      ServerOptions options, Authorization.Feeds feeds, FileWatch files, InstantSource clock) {
    boolean nodeRestriction = options.admission().enabled().contains(PluginName.NODE_RESTRICTION);
    Authorization made =
        new Authorization(options.authorization(), nodeRestriction, feeds, files, clock);
    checkExposure(options, made);
    return made;
  }

  @Produces
  @Singleton
  Identities identities(
      ServerOptions options,
      Certificates certificates,
      ResourceClient client,
      Reflectors<TokenSource.Kind> tokens,
      InstantSource clock,
      FileWatch files) {
    return Identities.open(options, certificates, client, new StoredTokens(tokens), clock, files);
  }

  /** The flags are checked when they are read; the modes of a file are known only here. */
  private static void checkExposure(ServerOptions options, Authorization authorization) {
    Exposure.refusal(
            "--authorization-config",
            authorization.modes(),
            options.serving(),
            options.authentication().anonymous(),
            options.authorization().insecureExposure())
        .ifPresent(
            text -> {
              throw new StartException(text, null);
            });
  }
}
