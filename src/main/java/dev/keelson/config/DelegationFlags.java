package dev.keelson.config;

import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.DelegatedAuthentication;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Flags of authentication that is delegated to another API server. */
final class DelegationFlags {

  /** The default cache TTL of its responses, as in Kubernetes. */
  static final Duration TTL = Duration.ofSeconds(10);

  private final Flag<@Nullable Path> kubeconfig;
  private final Flag<Boolean> skipLookup;
  private final Flag<Boolean> tolerateFailure;

  DelegationFlags(FlagGroup group) {
    kubeconfig =
        group.optional(
            "authentication-kubeconfig",
            "FILE",
            "Kubeconfig of another API server that authenticates for this one: it reviews tokens,"
                + " and its client authorities and front proxies (ConfigMap"
                + " kube-system/extension-apiserver-authentication) are accepted where no flag"
                + " names others.",
            Values::path);
    skipLookup =
        group.toggle(
            "authentication-skip-lookup",
            false,
            "Do not look up the client authorities and front proxies of the server of"
                + " --authentication-kubeconfig; use it for token reviews only.");
    tolerateFailure =
        group.toggle(
            "authentication-tolerate-lookup-failure", false, "Start even if that lookup fails.");
  }

  /**
   * The options.
   *
   * @param webhook the webhook flag, which conflicts with delegation
   * @param ttl the flag of the cache TTL
   */
  @Nullable DelegatedAuthentication options(
      Settings settings, Flag<@Nullable Path> webhook, Flag<Duration> ttl, List<String> audiences) {
    Path file = settings.value(kubeconfig);
    if (file == null) {
      for (Flag<?> flag : List.of(skipLookup, tolerateFailure)) {
        if (settings.has(flag)) {
          throw new FlagException(flag.dashed() + " needs " + kubeconfig.dashed() + " as well");
        }
      }
      return null;
    }
    if (settings.value(webhook) != null) {
      throw new FlagException(
          kubeconfig.dashed() + " cannot be given together with " + webhook.dashed());
    }
    return new DelegatedAuthentication(
        Checks.readable(kubeconfig, file),
        settings.value(skipLookup),
        settings.value(tolerateFailure),
        settings.has(ttl) ? settings.value(ttl) : TTL,
        audiences);
  }
}
