package dev.keelson.admission.plugin.pod;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Reason;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * AlwaysPullImages: sets {@code imagePullPolicy: Always} on all containers and image volumes, so
 * that a pod cannot use an image on its node without the credentials to pull it. Updates that name
 * no new image are left alone.
 */
public final class AlwaysPullImages implements Admission {

  private static final List<String> CONTAINERS =
      List.of("initContainers", "containers", "ephemeralContainers");
  private static final String EPHEMERAL = "ephemeralcontainers";
  private static final String ALWAYS = "Always";

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return (operation == Verb.CREATE || operation == Verb.UPDATE)
        && resource.equals(Pods.RESOURCE)
        && (subresource.isEmpty() || subresource.equals(EPHEMERAL));
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    if (!concerns(call, object)) {
      return object;
    }
    MapNode spec = Pods.spec(object);
    for (String list : CONTAINERS) {
      spec =
          Pods.edited(
              spec, list, container -> container.with("imagePullPolicy", Node.text(ALWAYS)));
    }
    spec = Pods.edited(spec, "volumes", AlwaysPullImages::pulled);
    return object.with("spec", spec);
  }

  private static MapNode pulled(MapNode volume) {
    return volume.has("image")
        ? volume.with("image", volume.map("image").with("pullPolicy", Node.text(ALWAYS)))
        : volume;
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject pod = call.object();
    if (pod == null || !concerns(call, pod)) {
      return;
    }
    MapNode spec = Pods.spec(pod);
    List<String> problems = new ArrayList<>();
    for (String list : CONTAINERS) {
      List<MapNode> containers = spec.maps(list);
      for (int i = 0; i < containers.size(); i++) {
        check(
            call,
            "spec." + list + "[" + i + "].imagePullPolicy",
            containers.get(i).text("imagePullPolicy"),
            problems);
      }
    }
    List<MapNode> volumes = spec.maps("volumes");
    for (int i = 0; i < volumes.size(); i++) {
      if (volumes.get(i).has("image")) {
        check(
            call,
            "spec.volumes[" + i + "].image.pullPolicy",
            volumes.get(i).map("image").text("pullPolicy"),
            problems);
      }
    }
    if (!problems.isEmpty()) {
      // kube-apiserver joins errors, which have no reason then
      throw new ApiException(
          Reason.UNKNOWN,
          problems.size() == 1 ? problems.getFirst() : "[" + String.join(", ", problems) + "]");
    }
  }

  private static void check(
      AdmissionAttributes call, String field, String policy, List<String> problems) {
    if (!policy.equals(ALWAYS)) {
      problems.add(
          call.forbidden(
                  field
                      + ": Unsupported value: "
                      + GoQuote.quote(policy)
                      + ": supported values: \"Always\"")
              .text());
    }
  }

  private static boolean concerns(AdmissionAttributes call, ApiObject pod) {
    ApiObject current = call.current();
    return call.concerns("", "pods")
        && (call.subresource().isEmpty() || call.subresource().equals(EPHEMERAL))
        && (call.operation() != Verb.UPDATE
            || current == null
            || !images(current).containsAll(images(pod)));
  }

  private static Set<String> images(ApiObject pod) {
    MapNode spec = Pods.spec(pod);
    Set<String> images = new HashSet<>();
    for (String list : CONTAINERS) {
      spec.maps(list).forEach(each -> images.add(each.text("image")));
    }
    for (MapNode volume : spec.maps("volumes")) {
      if (volume.has("image")) {
        images.add(volume.map("image").text("reference"));
      }
    }
    return images;
  }
}
