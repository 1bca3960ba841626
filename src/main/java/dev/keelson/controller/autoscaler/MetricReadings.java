package dev.keelson.controller.autoscaler;

import dev.keelson.api.GroupVersion;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Where metrics come from. Every method throws a {@link MetricException} if there are none. Values
 * are in thousandths.
 */
interface MetricReadings {

  /** The window of a metric that does not tell it. */
  Duration WINDOW = Duration.ofMinutes(1);

  /**
   * A value of a pod.
   *
   * @param at when the window ended
   */
  record Sample(long value, Instant at, Duration window) {}

  /**
   * An object with a metric.
   *
   * @param version empty for none
   */
  record Described(GroupVersion version, String kind, String name) {}

  /**
   * The usage of a resource by pods.
   *
   * @param selector of the pods, as text
   * @param container empty for all containers
   */
  Map<String, Sample> resource(String resource, String namespace, String selector, String container)
      throws InterruptedException;

  /**
   * A metric of pods by their names.
   *
   * @param selector of the pods, as text
   * @param labels selects series of the metric, as text; empty for all
   */
  Map<String, Sample> pods(String metric, String namespace, String selector, String labels)
      throws InterruptedException;

  /** A metric of an object. */
  long object(String metric, String namespace, Described object, String labels)
      throws InterruptedException;

  /** The values of a metric that belongs to no object. */
  List<Long> external(String metric, String namespace, String labels) throws InterruptedException;
}
