package dev.keelson.config.component;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.ControllerOptions.Silence;
import java.time.Duration;

/** Flags of silent nodes and their pods, with the names and defaults of kube-controller-manager. */
final class NodeFlags {

  private final Flag<Duration> period;
  private final Flag<Duration> grace;
  private final Flag<Duration> startupGrace;
  private final Flag<Double> evictionRate;
  private final Flag<Double> secondaryRate;
  private final Flag<Integer> largeZone;
  private final Flag<Double> unhealthyShare;
  private final Flag<Integer> mostEndedPods;

  NodeFlags(FlagGroup group) {
    period =
        group.single(
            "node-monitor-period",
            "DURATION",
            "5s",
            "Time between two looks at all nodes (node-lifecycle-controller).",
            Values::duration);
    grace =
        group.single(
            "node-monitor-grace-period",
            "DURATION",
            "50s",
            "How long a node may be without a heartbeat before its conditions become Unknown; a"
                + " multiple of the kubelets' interval, 10s.",
            Values::duration);
    startupGrace =
        group.single(
            "node-startup-grace-period",
            "DURATION",
            "1m0s",
            "The same of a node whose kubelet has not told its conditions yet.",
            Values::duration);
    evictionRate =
        group.single(
            "node-eviction-rate",
            "RATE",
            "0.1",
            "Nodes per second whose pods begin to be evicted, in a zone that is healthy.",
            Values::decimal);
    secondaryRate =
        group.single(
            "secondary-node-eviction-rate",
            "RATE",
            "0.01",
            "The same in a zone that is unhealthy, if it is larger than"
                + " --large-cluster-size-threshold; in smaller ones it is 0.",
            Values::decimal);
    largeZone =
        group.single(
            "large-cluster-size-threshold",
            "COUNT",
            "50",
            "More nodes than that make a zone large.",
            Values.integer(0, Integer.MAX_VALUE));
    unhealthyShare =
        group.single(
            "unhealthy-zone-threshold",
            "FRACTION",
            "0.55",
            "Part of a zone's nodes, at least three, that are not ready when the zone is"
                + " unhealthy.",
            Values::decimal);
    mostEndedPods =
        group.single(
            "terminated-pod-gc-threshold",
            "COUNT",
            "12500",
            "Number of pods that have ended from which the oldest are deleted"
                + " (pod-garbage-collector-controller); 0 and less keep all.",
            Values.integer(Integer.MIN_VALUE, Integer.MAX_VALUE));
  }

  Silence silence(Settings settings) {
    Duration looks = settings.value(period);
    if (!looks.isPositive()) {
      throw new FlagException(period.dashed() + " must be greater than 0");
    }
    return new Silence(
        looks,
        settings.value(grace),
        settings.value(startupGrace),
        settings.value(evictionRate),
        settings.value(secondaryRate),
        settings.value(largeZone),
        settings.value(unhealthyShare));
  }

  int mostEndedPods(Settings settings) {
    return settings.value(mostEndedPods);
  }
}
