package dev.keelson.controller.autoscaler;

import dev.keelson.controller.autoscaler.AutoscaledPod.Readiness;
import dev.keelson.controller.autoscaler.MetricReadings.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How many replicas a metric asks for (source: Kubernetes' {@code
 * podautoscaler/replica_calculator.go}). Values are in thousandths.
 *
 * @param pods those of the workload
 * @param tolerances within which nothing changes
 * @param now the time of the look
 */
record ReplicaCalculator(
    List<AutoscaledPod> pods, Tolerances tolerances, AutoscalerSettings settings, Instant now) {

  private static final String CPU = "cpu";

  ReplicaCalculator {
    pods = List.copyOf(pods);
  }

  /**
   * What a metric asks for.
   *
   * @param usage the average of the pods, or the value of the metric
   * @param utilization in percent of the requests; 0 where there is no such thing
   */
  record Proposal(int replicas, long usage, int utilization) {}

  /**
   * The pods by what is known of them.
   *
   * @param ready how many have a sample that counts
   * @param unready not ready, or in their first time
   * @param missing without a sample
   * @param ignored those that end
   */
  record Groups(int ready, Set<String> unready, Set<String> missing, Set<String> ignored) {}

  /** The ratio of usage to target, and the usage. */
  private record Usage(double ratio, long average, int utilization) {}

  @FunctionalInterface
  private interface Measure {
    Usage of(Map<String, Sample> samples);
  }

  /**
   * For a share of what pods request.
   *
   * @param samples by pod
   * @param container empty for all
   * @param percent the wanted share
   */
  Proposal utilization(
      int current, Map<String, Sample> samples, String resource, String container, int percent) {
    requirePods();
    Map<String, Sample> counted = new HashMap<>(samples);
    Groups groups = groups(counted, resource);
    requireSamples(counted, groups);
    Map<String, Long> requests = new HashMap<>();
    for (AutoscaledPod pod : pods) {
      Long unused = requests.put(pod.name(), pod.request(resource, container));
    }
    int most = Math.max(100, percent);
    Map<String, Long> fallbacks = new HashMap<>();
    for (String pod : groups.missing()) {
      Long unused = fallbacks.put(pod, requests.getOrDefault(pod, 0L) * most / 100);
    }
    return propose(current, counted, groups, fallbacks, all -> utilization(all, requests, percent));
  }

  /**
   * For an average of pods.
   *
   * @param resource empty if it is none, so that readiness does not count
   */
  Proposal average(int current, Map<String, Sample> samples, String resource, long target) {
    requirePods();
    Map<String, Sample> counted = new HashMap<>(samples);
    Groups groups = groups(counted, resource);
    requireSamples(counted, groups);
    Map<String, Long> fallbacks = new HashMap<>();
    for (String pod : groups.missing()) {
      Long unused = fallbacks.put(pod, target);
    }
    return propose(current, counted, groups, fallbacks, all -> average(all, target));
  }

  /**
   * Looks twice: the second time pods without a sample count as what speaks against the change.
   *
   * @param fallbacks what missing pods count when pods would be removed
   */
  private Proposal propose(
      int current,
      Map<String, Sample> samples,
      Groups groups,
      Map<String, Long> fallbacks,
      Measure measure) {
    Usage first = measure.of(samples);
    Proposal same = new Proposal(current, first.average(), first.utilization());
    boolean withUnready = !groups.unready().isEmpty() && first.ratio() > 1;
    if (!withUnready && groups.missing().isEmpty()) {
      return tolerances.cover(first.ratio())
          ? same
          : new Proposal(
              ceil(first.ratio() * groups.ready()), first.average(), first.utilization());
    }
    if (first.ratio() != 1) {
      for (String pod : groups.missing()) {
        add(samples, pod, first.ratio() < 1 ? fallbacks.getOrDefault(pod, 0L) : 0);
      }
    }
    if (withUnready) {
      groups.unready().forEach(pod -> add(samples, pod, 0));
    }
    double ratio = measure.of(samples).ratio();
    boolean turns = (first.ratio() < 1 && ratio > 1) || (first.ratio() > 1 && ratio < 1);
    if (tolerances.cover(ratio) || turns) {
      return same;
    }
    int replicas = ceil(ratio * samples.size());
    boolean against = (ratio < 1 && replicas > current) || (ratio > 1 && replicas < current);
    return against ? same : new Proposal(replicas, first.average(), first.utilization());
  }

  private static void add(Map<String, Sample> samples, String pod, long value) {
    Sample unused = samples.put(pod, new Sample(value, Instant.EPOCH, Duration.ZERO));
  }

  /**
   * For a value that does not depend on the number of pods, such as one of an object.
   *
   * @param current the wanted replicas of the scale; none means that pods do not count
   */
  Proposal value(int current, long usage, long target) {
    double ratio = (double) usage / target;
    if (current == 0) {
      return new Proposal(ceil(ratio), usage, 0);
    }
    if (tolerances.cover(ratio)) {
      return new Proposal(current, usage, 0);
    }
    try {
      requirePods();
    } catch (MetricException e) {
      throw new MetricException("unable to calculate ready pods", e);
    }
    long ready = pods.stream().filter(AutoscaledPod::serves).count();
    return new Proposal(ceil(ratio * ready), usage, 0);
  }

  /**
   * For a value that all pods share.
   *
   * @param replicas of the status of the scale
   * @param target for each pod
   */
  Proposal share(int replicas, long usage, long target) {
    double ratio = usage / ((double) target * replicas);
    int proposed = tolerances.cover(ratio) ? replicas : ceil((double) usage / target);
    return new Proposal(proposed, perPod(usage, replicas), 0);
  }

  /** The share of each pod; none without pods. */
  static long perPod(long usage, int replicas) {
    if (usage == Long.MAX_VALUE) {
      return usage;
    }
    return replicas == 0 ? 0 : (long) Math.ceil((double) usage / replicas);
  }

  /** Sorts the pods. */
  Groups groups(Map<String, Sample> samples, String resource) {
    int ready = 0;
    Groups groups = new Groups(0, new HashSet<>(), new HashSet<>(), new HashSet<>());
    for (AutoscaledPod pod : pods) {
      Sample sample = samples.get(pod.name());
      if (pod.deleting() || pod.ended()) {
        groups.ignored().add(pod.name());
      } else if (pod.phase().equals("Pending")) {
        groups.unready().add(pod.name());
      } else if (sample == null) {
        groups.missing().add(pod.name());
      } else if (resource.equals(CPU) && early(pod, sample)) {
        groups.unready().add(pod.name());
      } else {
        ready++;
      }
    }
    return new Groups(ready, groups.unready(), groups.missing(), groups.ignored());
  }

  /** Whether a CPU sample is of the start of a pod, which often needs more than its work. */
  private boolean early(AutoscaledPod pod, Sample sample) {
    Readiness ready = pod.ready();
    Instant started = pod.started();
    if (ready == null || started == null) {
      return true;
    }
    boolean unready = ready.status().equals("False");
    return started.plus(settings.cpuInitialization()).isAfter(now)
        ? unready || sample.at().isBefore(ready.since().plus(sample.window()))
        : unready && started.plus(settings.initialReadiness()).isAfter(ready.since());
  }

  private void requirePods() {
    if (pods.isEmpty()) {
      throw new MetricException("no pods returned by selector while calculating replica count");
    }
  }

  private static void requireSamples(Map<String, Sample> samples, Groups groups) {
    samples.keySet().removeAll(groups.ignored());
    samples.keySet().removeAll(groups.unready());
    if (samples.isEmpty()) {
      throw new MetricException(
          "did not receive metrics for targeted pods (pods might be unready)");
    }
  }

  private static Usage utilization(
      Map<String, Sample> samples, Map<String, Long> requests, int percent) {
    long used = 0;
    long requested = 0;
    int count = 0;
    for (Map.Entry<String, Sample> entry : samples.entrySet()) {
      Long request = requests.get(entry.getKey());
      if (request != null) {
        used = Millis.sum(used, entry.getValue().value());
        requested = Millis.sum(requested, request);
        count++;
      }
    }
    if (requested == 0) {
      throw new MetricException("no metrics returned matched known pods");
    }
    long share = Math.clamp(used, 0, Long.MAX_VALUE / 100) * 100 / requested;
    int utilization = Math.clamp(share, 0, Integer.MAX_VALUE);
    return new Usage((double) utilization / percent, used / count, utilization);
  }

  private static Usage average(Map<String, Sample> samples, long target) {
    long sum = 0;
    for (Sample sample : samples.values()) {
      sum = Millis.sum(sum, sample.value());
    }
    long average = sum / samples.size();
    return new Usage((double) average / target, average, 0);
  }

  /** Rounded up, and at most the greatest int. */
  private static int ceil(double replicas) {
    return (int) Math.ceil(replicas);
  }
}
