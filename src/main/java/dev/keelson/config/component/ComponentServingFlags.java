package dev.keelson.config.component;

import dev.keelson.authz.AuthorizationOptions;
import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.ComponentOptions.Component;
import dev.keelson.config.option.ComponentServing;
import dev.keelson.config.option.DelegatedAuthentication;
import dev.keelson.config.option.KeyPairFiles;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Flags of the port of a component, with the names and defaults of Kubernetes' components. */
final class ComponentServingFlags {

  private final Flag<@Nullable InetAddress> bindAddress;
  private final Flag<Integer> port;
  private final Flag<@Nullable Path> certificate;
  private final Flag<@Nullable Path> key;
  private final Flag<@Nullable Path> authentication;
  private final Flag<Boolean> skipLookup;
  private final Flag<Boolean> tolerateFailure;
  private final Flag<Duration> tokenTtl;
  private final Flag<@Nullable Path> authorization;
  private final Flag<Duration> authorizedTtl;
  private final Flag<Duration> unauthorizedTtl;
  private final Flag<List<String>> openPaths;

  ComponentServingFlags(FlagGroup group, Component component) {
    bindAddress =
        group.optional(
            "bind-address",
            "IP",
            "IP address to listen on; all addresses of the machine by default.",
            Values::address);
    port =
        group.single(
            "secure-port",
            "PORT",
            component == Component.CONTROLLERS ? "10257" : "10259",
            "Port to serve /healthz, /livez, /readyz, /metrics and /configz on, over HTTPS; 0"
                + " serves nothing.",
            Values.integer(0, 65535));
    certificate =
        group.optional(
            "tls-cert-file",
            "FILE",
            "Serving certificate in PEM, followed by intermediate certificates. A certificate that"
                + " signs itself is made if absent.",
            Values::path);
    key =
        group.optional(
            "tls-private-key-file",
            "FILE",
            "Private key in PEM that matches --tls-cert-file.",
            Values::path);
    authentication =
        group.optional(
            "authentication-kubeconfig",
            "FILE",
            "Kubeconfig of the API server that authenticates requests: it reviews tokens, and its"
                + " client authorities and front proxies are accepted. Requests are anonymous"
                + " without it.",
            Values::path);
    skipLookup =
        group.toggle(
            "authentication-skip-lookup",
            false,
            "Do not look up the client authorities and front proxies of that server.");
    tolerateFailure =
        group.toggle(
            "authentication-tolerate-lookup-failure",
            component == Component.SCHEDULER,
            "Start even if that lookup fails.");
    tokenTtl =
        group.single(
            "authentication-token-webhook-cache-ttl",
            "DURATION",
            "10s",
            "How long to cache reviews of tokens.",
            Values::duration);
    authorization =
        group.optional(
            "authorization-kubeconfig",
            "FILE",
            "Kubeconfig of the API server that authorizes requests with SubjectAccessReviews. Only"
                + " the open paths, and members of system:masters, are allowed without it.",
            Values::path);
    authorizedTtl =
        group.single(
            "authorization-webhook-cache-authorized-ttl",
            "DURATION",
            "10s",
            "How long to cache allowed decisions.",
            Values::duration);
    unauthorizedTtl =
        group.single(
            "authorization-webhook-cache-unauthorized-ttl",
            "DURATION",
            "10s",
            "How long to cache denied decisions.",
            Values::duration);
    openPaths =
        group.listOr(
            "authorization-always-allow-paths",
            "PATH",
            "/healthz,/readyz,/livez",
            "Paths that are served without authorization; a trailing * matches any suffix.",
            Values::text);
  }

  ComponentServing options(Settings settings) {
    Checks.bothOrNeither(settings, certificate, key);
    Path shown = settings.value(certificate);
    Path secret = settings.value(key);
    InetAddress address = settings.value(bindAddress);
    return new ComponentServing(
        address == null ? InetAddress.ofLiteral("0.0.0.0") : address,
        settings.value(port),
        shown == null || secret == null
            ? null
            : new KeyPairFiles(Checks.readable(certificate, shown), Checks.readable(key, secret)),
        authentication(settings),
        authorization(settings),
        settings.value(openPaths));
  }

  private @Nullable DelegatedAuthentication authentication(Settings settings) {
    Path file = settings.value(authentication);
    return file == null
        ? null
        : new DelegatedAuthentication(
            Checks.readable(authentication, file),
            settings.value(skipLookup),
            settings.value(tolerateFailure),
            settings.value(tokenTtl),
            List.of());
  }

  private AuthorizationOptions.@Nullable Webhook authorization(Settings settings) {
    Path file = settings.value(authorization);
    return file == null
        ? null
        : new AuthorizationOptions.Webhook(
            Checks.readable(authorization, file),
            "v1",
            settings.value(authorizedTtl),
            settings.value(unauthorizedTtl));
  }
}
