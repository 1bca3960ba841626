package dev.keelson.config;

import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.Delegation;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Another server that knows who users are. */
final class DelegationFlags {

  /** How long its answers hold unless a flag says otherwise, as in Kubernetes. */
  static final Duration TTL = Duration.ofSeconds(10);

  private final Flag<@Nullable Path> kubeconfig;
  private final Flag<Boolean> skipLookup;
  private final Flag<Boolean> tolerateFailure;

  DelegationFlags(FlagGroup group) {
    kubeconfig =
        group.optional(
            "authentication-kubeconfig",
            "FILE",
            "A kubeconfig for another API server, beside which this one runs: it reviews tokens,"
                + " and its client authorities and trusted proxies count here as well (ConfigMap"
                + " kube-system/extension-apiserver-authentication) where no flag names others.",
            Values::path);
    skipLookup =
        group.toggle(
            "authentication-skip-lookup",
            false,
            "Whether to leave the configuration of the server of --authentication-kubeconfig"
                + " alone, so that it only reviews tokens.");
    tolerateFailure =
        group.toggle(
            "authentication-tolerate-lookup-failure",
            false,
            "Whether to start even if that configuration cannot be looked up.");
  }

  /**
   * The options.
   *
   * @param webhook the flag of a webhook, which does not go with this
   * @param ttl the flag that says how long answers hold
   */
  @Nullable Delegation options(
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
    return new Delegation(
        Checks.readable(kubeconfig, file),
        settings.value(skipLookup),
        settings.value(tolerateFailure),
        settings.has(ttl) ? settings.value(ttl) : TTL,
        audiences);
  }
}
