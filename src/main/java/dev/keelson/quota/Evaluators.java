package dev.keelson.quota;

import dev.keelson.api.GroupResource;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The evaluators of all types: a few of their own, all others count objects. */
public final class Evaluators {

  /** Their number is not limited by quotas, which would lose them when they are needed. */
  private static final GroupResource EVENTS = new GroupResource("", "events");

  private final Map<GroupResource, Evaluator> own;

  /**
   * Creates the evaluators.
   *
   * @param clock tells whether the grace period of a deleted pod is over
   */
  public Evaluators(DeviceClasses classes, InstantSource clock) {
    PodEvaluator pods = new PodEvaluator(clock);
    own =
        List.of(
                pods,
                new ServiceEvaluator(),
                new VolumeClaimEvaluator(),
                new DeviceClaimEvaluator(classes, pods))
            .stream()
            .collect(Collectors.toUnmodifiableMap(Evaluator::resource, Function.identity()));
  }

  /** Whether quotas apply to a type. */
  public static boolean isLimited(GroupResource resource) {
    return !resource.equals(EVENTS);
  }

  /** Returns the evaluator of a type. */
  public Evaluator of(GroupResource resource) {
    Evaluator known = own.get(resource);
    return known == null ? ObjectCountEvaluator.of(resource) : known;
  }
}
