package dev.keelson.config;

import dev.keelson.authz.AuthorizationOptions;
import dev.keelson.authz.AuthorizationOptions.Mode;
import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.OpenAccessCheck;
import dev.keelson.config.option.ServingOptions;
import dev.keelson.value.GoQuote;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Flags of authorization. */
final class AuthorizationFlags {

  private final Flag<List<Mode>> modes;
  private final Flag<@Nullable Path> configFile;
  private final Flag<@Nullable Path> policyFile;
  private final Flag<@Nullable Path> webhookConfig;
  private final Flag<String> webhookVersion;
  private final Flag<Duration> authorizedTtl;
  private final Flag<Duration> unauthorizedTtl;
  private final Flag<List<String>> alwaysAllowPaths;
  private final Flag<Boolean> insecureExposure;
  private final Flag<@Nullable Path> delegate;

  AuthorizationFlags(FlagGroup group) {
    modes =
        group.listOr(
            "authorization-mode",
            "MODE",
            "AlwaysAllow",
            "Authorizers in the order in which they are consulted: AlwaysAllow, AlwaysDeny,"
                + " ABAC, Webhook, RBAC, Node. Every mode allows all requests of members of"
                + " system:masters.",
            AuthorizationFlags::mode);
    configFile =
        group.optional(
            "authorization-config",
            "FILE",
            "AuthorizationConfiguration (apiserver.config.k8s.io) that lists the authorizers,"
                + " in place of --authorization-mode and the webhook flags.",
            Values::path);
    policyFile =
        group.optional(
            "authorization-policy-file",
            "FILE",
            "Policies for mode ABAC, one per line, as JSON objects or comma-separated values.",
            Values::path);
    webhookConfig =
        group.optional(
            "authorization-webhook-config-file",
            "FILE",
            "Kubeconfig of the webhook for mode Webhook.",
            Values::path);
    webhookVersion =
        group.single(
            "authorization-webhook-version",
            "VERSION",
            "v1beta1",
            "API version of the SubjectAccessReview sent to the webhook: v1 or v1beta1.",
            AuthorizationFlags::version);
    authorizedTtl =
        group.single(
            "authorization-webhook-cache-authorized-ttl",
            "DURATION",
            "5m0s",
            "How long to cache allowed decisions.",
            Values::duration);
    unauthorizedTtl =
        group.single(
            "authorization-webhook-cache-unauthorized-ttl",
            "DURATION",
            "30s",
            "How long to cache denied decisions.",
            Values::duration);
    alwaysAllowPaths =
        group.listOr(
            "authorization-always-allow-paths",
            "PATH",
            "/healthz,/readyz,/livez",
            "Paths that are served without authorization; a trailing * matches any suffix.",
            Values::text);
    insecureExposure =
        group.toggle(
            "allow-insecure-exposure",
            false,
            "Allow listening on a non-loopback address although --authorization-mode"
                + " AlwaysAllow and --anonymous-auth give every client full access.");
    delegate =
        group.optional(
            "authorization-kubeconfig",
            "FILE",
            "Kubeconfig of another API server that authorizes requests with"
                + " SubjectAccessReviews, in place of the modes. Its decisions are cached for 10s"
                + " unless the webhook cache flags are set.",
            Values::path);
  }

  /**
   * The options.
   *
   * @param anonymous whether anonymous requests are enabled
   * @throws FlagException naming the invalid flag or the conflicting flags
   */
  AuthorizationOptions options(Settings settings, ServingOptions serving, boolean anonymous) {
    List<Mode> asked = settings.value(modes);
    Path other = settings.value(delegate);
    if (other != null) {
      return delegated(settings, other);
    }
    Path config = settings.value(configFile);
    if (config != null) {
      checkAlone(settings);
      Path forFile = settings.value(policyFile);
      return new AuthorizationOptions(
          List.of(),
          settings.value(alwaysAllowPaths),
          forFile == null ? null : Checks.readable(policyFile, forFile),
          null,
          Checks.readable(configFile, config),
          settings.value(insecureExposure),
          null);
    }
    checkModes(asked);
    Path policies = settings.value(policyFile);
    Path webhook = settings.value(webhookConfig);
    checkFile(asked, Mode.ABAC, policyFile, policies);
    checkFile(asked, Mode.WEBHOOK, webhookConfig, webhook);
    boolean insecure = settings.value(insecureExposure);
    OpenAccessCheck.refusal(modes.dashed(), asked, serving, anonymous, insecure)
        .ifPresent(
            text -> {
              throw new FlagException(text);
            });
    return new AuthorizationOptions(
        asked,
        settings.value(alwaysAllowPaths),
        policies == null ? null : Checks.readable(policyFile, policies),
        webhook == null
            ? null
            : new AuthorizationOptions.Webhook(
                Checks.readable(webhookConfig, webhook),
                settings.value(webhookVersion),
                settings.value(authorizedTtl),
                settings.value(unauthorizedTtl)),
        null,
        insecure,
        null);
  }

  private AuthorizationOptions delegated(Settings settings, Path kubeconfig) {
    for (Flag<?> other : List.of(modes, configFile, webhookConfig, webhookVersion, policyFile)) {
      if (settings.has(other)) {
        throw new FlagException(
            delegate.dashed() + " cannot be given together with " + other.dashed());
      }
    }
    return new AuthorizationOptions(
        List.of(),
        settings.value(alwaysAllowPaths),
        null,
        null,
        null,
        settings.value(insecureExposure),
        new AuthorizationOptions.Webhook(
            Checks.readable(delegate, kubeconfig),
            "v1",
            settings.has(authorizedTtl) ? settings.value(authorizedTtl) : DelegationFlags.TTL,
            settings.has(unauthorizedTtl) ? settings.value(unauthorizedTtl) : DelegationFlags.TTL));
  }

  private void checkAlone(Settings settings) {
    for (Flag<?> other :
        List.of(modes, webhookConfig, webhookVersion, authorizedTtl, unauthorizedTtl)) {
      if (settings.has(other)) {
        throw new FlagException(
            configFile.dashed()
                + " can not be specified when --authorization-mode or --authorization-webhook-* flags"
                + " are defined, found "
                + other.dashed());
      }
    }
  }

  private void checkModes(List<Mode> asked) {
    if (asked.isEmpty()) {
      throw new FlagException(modes.dashed() + ": at least one authorization-mode must be passed");
    }
    Set<Mode> seen = EnumSet.noneOf(Mode.class);
    for (Mode mode : asked) {
      if (!seen.add(mode)) {
        String named =
            asked.stream()
                .map(each -> GoQuote.quote(each.word()))
                .collect(Collectors.joining(" ", "[", "]"));
        throw new FlagException(
            modes.dashed()
                + ": authorization-mode "
                + named
                + " has mode specified more than once");
      }
    }
  }

  private void checkFile(List<Mode> asked, Mode mode, Flag<?> flag, @Nullable Path file) {
    if (asked.contains(mode) && file == null) {
      throw new FlagException(
          "%s: authorization-mode %s's authorization %s file not passed, set %s"
              .formatted(
                  modes.dashed(),
                  mode.word(),
                  mode == Mode.ABAC ? "policy" : "config",
                  flag.dashed()));
    }
    if (!asked.contains(mode) && file != null) {
      throw new FlagException("cannot specify " + flag.dashed() + " without mode " + mode.word());
    }
  }

  private static Mode mode(String text) {
    for (Mode mode : Mode.values()) {
      if (mode.word().equals(text)) {
        return mode;
      }
    }
    throw new IllegalArgumentException(
        "authorization-mode "
            + GoQuote.quote(text)
            + " is not a valid mode, which are AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC, Node");
  }

  private static String version(String text) {
    if (text.equals("v1") || text.equals("v1beta1")) {
      return text;
    }
    throw new IllegalArgumentException("v1 or v1beta1 is expected, found \"" + text + "\"");
  }
}
