package dev.keelson.controller.fit;

import dev.keelson.object.Node.MapNode;
import dev.keelson.value.SharedInstances;
import java.util.HashMap;
import java.util.Map;

/**
 * What a pod requests of a node (source: {@code k8s.io/component-helpers/resource}): the larger of
 * what its containers and sidecars request together and what each init container does with the
 * sidecars before it; what is requested for the pod as a whole counts instead; and the overhead.
 */
public final class PodRequests {

  private static final SharedInstances<Resources> RECENT = new SharedInstances<>();

  /** What a container counts for that requests no processors, and no memory. */
  private static final long SCORED_MILLI_CPU = 100;

  private static final long SCORED_MEMORY = 200L << 20;

  private PodRequests() {}

  /** The requests of a pod. */
  public static Resources of(MapNode spec) {
    return of(spec, false);
  }

  /**
   * The requests of a pod with a little for containers that request nothing.
   *
   * @param requests what {@link #of} tells of the pod
   */
  public static Resources scored(MapNode spec, Resources requests) {
    boolean complete =
        spec.maps("containers").stream().allMatch(PodRequests::requestsBoth)
            && spec.maps("initContainers").stream().allMatch(PodRequests::requestsBoth);
    return complete ? requests : of(spec, true);
  }

  private static boolean requestsBoth(MapNode container) {
    MapNode requests = container.map("resources").map("requests");
    return requests.has("cpu") && requests.has("memory");
  }

  private static Resources of(MapNode spec, boolean scored) {
    Resources running = Resources.NONE;
    for (MapNode container : spec.maps("containers")) {
      running = running.plus(requests(container, scored));
    }
    Resources sidecars = Resources.NONE;
    Resources starting = Resources.NONE;
    for (MapNode container : spec.maps("initContainers")) {
      Resources own = requests(container, scored);
      if (container.text("restartPolicy").equals("Always")) {
        sidecars = sidecars.plus(own);
        starting = starting.max(sidecars);
      } else {
        starting = starting.max(sidecars.plus(own));
      }
    }
    Resources all = running.plus(sidecars).max(starting);
    MapNode whole = spec.map("resources").map("requests");
    if (!whole.isEmpty()) {
      Resources pod = Resources.of(whole);
      all =
          new Resources(
              whole.has("cpu") ? pod.milliCpu() : all.milliCpu(),
              whole.has("memory") ? pod.memory() : all.memory(),
              all.storage(),
              withPages(all.others(), pod.others()));
    }
    return RECENT.of(all.plus(Resources.of(spec.map("overhead"))));
  }

  /** Of other resources only huge pages are requested for a pod as a whole. */
  private static Map<String, Long> withPages(Map<String, Long> all, Map<String, Long> ofPod) {
    if (ofPod.isEmpty()) {
      return all;
    }
    Map<String, Long> merged = new HashMap<>(all);
    ofPod.forEach(
        (name, amount) -> {
          if (name.startsWith("hugepages-")) {
            merged.put(name, amount);
          }
        });
    return merged;
  }

  private static Resources requests(MapNode container, boolean scored) {
    MapNode requests = container.map("resources").map("requests");
    Resources own = Resources.of(requests);
    if (!scored || requestsBoth(container)) {
      return own;
    }
    return new Resources(
        requests.has("cpu") ? own.milliCpu() : SCORED_MILLI_CPU,
        requests.has("memory") ? own.memory() : SCORED_MEMORY,
        own.storage(),
        own.others());
  }
}
