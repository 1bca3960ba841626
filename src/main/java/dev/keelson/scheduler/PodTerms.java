package dev.keelson.scheduler;

import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The affinity and anti-affinity of a pod to other pods.
 *
 * @param near required: a node near such a pod
 * @param apart required: no node near such a pod
 * @param preferred a node near such a pod; the weight is negative for one that is not
 */
record PodTerms(List<PodTerm> near, List<PodTerm> apart, List<PodTerm> preferred) {

  static final PodTerms NONE = new PodTerms(List.of(), List.of(), List.of());

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  PodTerms {
    near = List.copyOf(near);
    apart = List.copyOf(apart);
    preferred = List.copyOf(preferred);
  }

  static PodTerms of(MapNode affinity, String namespace) {
    MapNode pods = affinity.map("podAffinity");
    MapNode others = affinity.map("podAntiAffinity");
    if (pods.isEmpty() && others.isEmpty()) {
      return NONE;
    }
    List<PodTerm> preferred = new ArrayList<>();
    addPreferred(pods, namespace, 1, preferred);
    addPreferred(others, namespace, -1, preferred);
    return new PodTerms(required(pods, namespace), required(others, namespace), preferred);
  }

  private static List<PodTerm> required(MapNode affinity, String namespace) {
    return affinity.maps(REQUIRED).stream().map(term -> PodTerm.of(term, namespace, 0)).toList();
  }

  private static void addPreferred(
      MapNode affinity, String namespace, int sign, List<PodTerm> preferred) {
    for (MapNode weighted : affinity.maps(PREFERRED)) {
      int weight = sign * (int) Numbers.of(weighted, "weight");
      preferred.add(PodTerm.of(weighted.map("podAffinityTerm"), namespace, weight));
    }
  }

  boolean isEmpty() {
    return near.isEmpty() && apart.isEmpty() && preferred.isEmpty();
  }
}
