package dev.keelson.admission.plugin.pod;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.core.pod.ResourceRules;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * ExtendedResourceToleration: adds tolerations of the taints of nodes that are dedicated to the
 * extended resources that a pod requests.
 */
public final class ExtendedResourceToleration implements Admission {

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return (operation == Verb.CREATE || operation == Verb.UPDATE)
        && resource.equals(Pods.RESOURCE)
        && subresource.isEmpty();
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    MapNode spec = Pods.spec(object);
    NavigableSet<String> resources = new TreeSet<>();
    for (String list : Pods.CONTAINERS) {
      for (MapNode container : spec.maps(list)) {
        container.map("resources").map("requests").keys().stream()
            .filter(ResourceRules::isExtendedResourceName)
            .forEach(resources::add);
      }
    }
    MapNode next = spec;
    for (String resource : resources) {
      MapNode toleration =
          MapNode.of("key", Node.text(resource))
              .with("operator", Node.text("Exists"))
              .with("effect", Node.text("NoSchedule"));
      next = Tolerations.added(next, toleration);
    }
    return next == spec ? object : object.with("spec", next);
  }
}
