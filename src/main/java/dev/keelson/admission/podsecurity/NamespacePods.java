package dev.keelson.admission.podsecurity;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Checks the pods of a namespace whose level gets stricter. At most {@link #MOST_PODS} are checked,
 * one of each controller first, and for at most {@link #LONGEST}.
 *
 * @param exemptRuntimeClasses the runtime classes whose pods are not checked
 * @param nanoTime the time in nanoseconds, from any origin
 */
record NamespacePods(Set<String> exemptRuntimeClasses, LongSupplier nanoTime) {

  static final int MOST_PODS = 3000;
  static final Duration LONGEST = Duration.ofSeconds(1);

  /**
   * The pods with the same violations.
   *
   * @param first the first name of them
   */
  private record Found(String first, int count) {
    Found and(String name) {
      return new Found(name.compareTo(first) < 0 ? name : first, count + 1);
    }

    String before(String reasons) {
      return switch (count) {
            case 1 -> first;
            case 2 -> first + " (and 1 other pod)";
            default -> first + " (and " + (count - 1) + " other pods)";
          }
          + ": "
          + reasons;
    }
  }

  /** Returns the warnings of violations of {@code enforce}; none if there are none. */
  List<String> warnings(
      String namespace, LevelVersion enforce, List<Supplier<ApiObject>> namespacePods) {
    long begun = nanoTime.getAsLong();
    Prioritized prioritized = prioritize(namespacePods, begun);
    List<ApiObject> pods = prioritized.pods();
    int limit = Math.min(pods.size(), MOST_PODS);
    int checked = 0;
    Map<String, Found> found = new LinkedHashMap<>();
    while (checked < limit) {
      ApiObject pod = pods.get(checked++);
      List<Violation> violations = CheckCatalog.violations(enforce, PodTemplate.of(pod.root()));
      if (!violations.isEmpty()) {
        String name = pod.meta().name();
        found.merge(
            Violation.reasons(violations), new Found(name, 1), (known, one) -> known.and(name));
      }
      if (expired(begun)) {
        break;
      }
    }
    return warnings(namespace, enforce, checked, prioritized.total(), found);
  }

  private static List<String> warnings(
      String namespace, LevelVersion enforce, int checked, int total, Map<String, Found> found) {
    List<String> warnings = new ArrayList<>();
    if (checked < total) {
      warnings.add(
          "new PodSecurity enforce level only checked against the first %d of %d existing pods"
              .formatted(checked, total));
    }
    if (!found.isEmpty()) {
      warnings.add(
          "existing pods in namespace %s violate the new PodSecurity enforce level %s"
              .formatted(GoQuote.quote(namespace), GoQuote.quote(enforce.toString())));
    }
    List<String> each = new ArrayList<>();
    found.forEach((reasons, pods) -> each.add(pods.before(reasons)));
    Collections.sort(each);
    warnings.addAll(each);
    return warnings;
  }

  /**
   * Pods in the order in which they are checked.
   *
   * @param total their number and that of the pods that were not read in time
   */
  private record Prioritized(List<ApiObject> pods, int total) {}

  private Prioritized prioritize(List<Supplier<ApiObject>> all, long begun) {
    List<ApiObject> first = new ArrayList<>();
    List<ApiObject> replicas = new ArrayList<>();
    Set<String> controllers = new HashSet<>();
    int read = 0;
    while (read < all.size() && !expired(begun)) {
      ApiObject pod = all.get(read++).get();
      if (exemptRuntimeClasses.contains(pod.root().map("spec").text("runtimeClassName"))) {
        continue;
      }
      String controller = controller(pod);
      (controller.isEmpty() || controllers.add(controller) ? first : replicas).add(pod);
    }
    first.addAll(replicas);
    return new Prioritized(first, first.size() + all.size() - read);
  }

  /** The uid of the pod's controller, or empty. */
  private static String controller(ApiObject pod) {
    for (MapNode owner : pod.meta().node().maps("ownerReferences")) {
      if (owner.get("controller") == Node.Bool.TRUE) {
        return owner.text("uid");
      }
    }
    return "";
  }

  private boolean expired(long begun) {
    return nanoTime.getAsLong() - begun > LONGEST.toNanos();
  }
}
