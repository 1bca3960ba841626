package dev.keelson.admission.plugin.pod;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * AlwaysPullImages: sets {@code imagePullPolicy: Always} on all containers, so that a pod cannot
 * use an image on its node without the credentials to pull it.
 */
public final class AlwaysPullImages implements Admission {

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return (operation == Verb.CREATE || operation == Verb.UPDATE)
        && (Pods.isPod(resource, subresource)
            || (Pods.isPod(resource, "") && subresource.equals("ephemeralcontainers")));
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    boolean ephemeral = call.subresource().equals("ephemeralcontainers");
    if (!call.concerns("", "pods") || !(call.subresource().isEmpty() || ephemeral)) {
      return object;
    }
    MapNode spec = Pods.spec(object);
    for (String list : List.of("initContainers", "containers", "ephemeralContainers")) {
      spec =
          Pods.edited(
              spec, list, container -> container.with("imagePullPolicy", Node.text("Always")));
    }
    return object.with("spec", spec);
  }
}
