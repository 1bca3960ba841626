package dev.keelson.controller.fit;

import dev.keelson.object.Node.MapNode;
import dev.keelson.value.SharedInstances;

/**
 * What a pod requests of a node (source: {@code k8s.io/component-helpers/resource}): the larger of
 * what its containers and sidecars request together and what each init container does with the
 * sidecars before it; what is requested for the pod as a whole counts instead; and the overhead.
 */
public final class PodRequests {

  private static final SharedInstances<Resources> RECENT = new SharedInstances<>();

  private PodRequests() {}

  /** The requests of a pod. */
  public static Resources of(MapNode spec) {
    Resources running = Resources.NONE;
    for (MapNode container : spec.maps("containers")) {
      running = running.plus(requests(container));
    }
    Resources sidecars = Resources.NONE;
    Resources starting = Resources.NONE;
    for (MapNode container : spec.maps("initContainers")) {
      Resources own = requests(container);
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
              all.others());
    }
    return RECENT.of(all.plus(Resources.of(spec.map("overhead"))));
  }

  private static Resources requests(MapNode container) {
    return Resources.of(container.map("resources").map("requests"));
  }
}
