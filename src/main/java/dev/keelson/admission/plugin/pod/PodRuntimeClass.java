package dev.keelson.admission.plugin.pod;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.Optional;

/**
 * RuntimeClass: sets overhead, node selector and tolerations of a pod from its runtime class, which
 * must exist (KEP-585, KEP-688).
 */
public final class PodRuntimeClass implements Admission {

  private static final String OTHER_OVERHEAD =
      "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

  private final ClusterObjects objects;

  public PodRuntimeClass(ClusterObjects objects) {
    this.objects = objects;
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.CREATE && Pods.isPod(resource, subresource);
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    if (!Pods.creates(call)) {
      return object;
    }
    MapNode spec = Pods.spec(object);
    String name = spec.text("runtimeClassName");
    if (name.isEmpty()) {
      if (!spec.map("overhead").isEmpty()) {
        throw call.forbidden(
            "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead");
      }
      return object;
    }
    Optional<ApiObject> found = objects.runtimeClass(name);
    if (found.isEmpty()) {
      throw call.forbidden("pod rejected: RuntimeClass \"" + name + "\" not found");
    }
    MapNode runtime = found.get().root();
    MapNode next = withOverhead(call, spec, runtime.map("overhead").map("podFixed"));
    return object.with("spec", scheduled(call, next, runtime.map("scheduling")));
  }

  private static MapNode withOverhead(AdmissionAttributes call, MapNode spec, MapNode overhead) {
    MapNode given = spec.map("overhead");
    if (!given.isEmpty() && !given.equals(overhead)) {
      throw call.forbidden(
          overhead.isEmpty()
              ? "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"
              : OTHER_OVERHEAD);
    }
    return overhead.isEmpty() ? spec : spec.with("overhead", overhead);
  }

  private static MapNode scheduled(AdmissionAttributes call, MapNode spec, MapNode scheduling) {
    MapNode next = spec;
    MapNode wanted = scheduling.map("nodeSelector");
    MapNode selector = spec.map("nodeSelector");
    for (int i = 0; i < wanted.size(); i++) {
      String key = wanted.keyAt(i);
      Node given = selector.get(key);
      if (given != null && !given.equals(wanted.valueAt(i))) {
        throw call.forbidden(
            "conflict: runtimeClass.scheduling.nodeSelector["
                + key
                + "] = "
                + wanted.text(key)
                + "; pod.spec.nodeSelector["
                + key
                + "] = "
                + selector.text(key));
      }
      selector = selector.with(key, wanted.valueAt(i));
    }
    if (!wanted.isEmpty()) {
      next = next.with("nodeSelector", selector);
    }
    for (Node toleration : scheduling.items("tolerations")) {
      if (!next.items("tolerations").contains(toleration)) {
        next = Pods.appended(next, "tolerations", toleration);
      }
    }
    return next;
  }
}
