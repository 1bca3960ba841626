package dev.keelson.config.component;

import dev.keelson.api.FeatureGates;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.AutoscalerOptions;
import dev.keelson.config.option.ControllerOptions;
import dev.keelson.config.option.NodeIpamOptions;
import dev.keelson.config.option.SigningOptions;
import dev.keelson.value.Cidr;
import java.time.Duration;
import java.util.List;

/** Flags of single controllers. */
final class ChoreFlags {

  private final Flag<Duration> tokenPeriod;
  private final SigningFlags signing;
  private final AutoscalerFlags autoscaler;
  private final NodeIpamFlags ipam;
  private final NodeFlags nodes;

  ChoreFlags(FlagGroup group) {
    tokenPeriod =
        group.single(
            "legacy-service-account-token-clean-up-period",
            "DURATION",
            "8760h",
            "How long a service account token in a Secret must not have been used before it is"
                + " marked invalid, and again before it is deleted.",
            Values::duration);
    signing = new SigningFlags(group);
    autoscaler = new AutoscalerFlags(group);
    ipam = new NodeIpamFlags(group);
    nodes = new NodeFlags(group);
  }

  Duration tokenPeriod(Settings settings) {
    Duration period = settings.value(tokenPeriod);
    if (!period.isPositive()) {
      throw new FlagException(tokenPeriod.dashed() + " must be greater than 0");
    }
    return period;
  }

  SigningOptions signing(Settings settings) {
    return signing.options(settings);
  }

  /**
   * Which blocks of addresses nodes get.
   *
   * @param services the ranges of Services
   */
  NodeIpamOptions ipam(Settings settings, List<Cidr> services) {
    return ipam.options(settings, services);
  }

  ControllerOptions.Silence silence(Settings settings) {
    return nodes.silence(settings);
  }

  int mostEndedPods(Settings settings) {
    return nodes.mostEndedPods(settings);
  }

  AutoscalerOptions autoscaler(Settings settings, FeatureGates gates) {
    return autoscaler.options(settings, gates);
  }
}
