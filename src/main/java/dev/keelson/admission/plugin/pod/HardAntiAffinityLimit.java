package dev.keelson.admission.plugin.pod;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;

/**
 * LimitPodHardAntiAffinityTopology: required anti-affinity may only keep pods off nodes, not off
 * zones or regions.
 */
public final class HardAntiAffinityLimit implements Admission {

  private static final String HOSTNAME = "kubernetes.io/hostname";

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return (operation == Verb.CREATE || operation == Verb.UPDATE)
        && resource.equals(Pods.RESOURCE)
        && subresource.isEmpty();
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject pod = call.object();
    if (pod == null) {
      return;
    }
    MapNode antiAffinity = Pods.spec(pod).map("affinity").map("podAntiAffinity");
    for (MapNode term : antiAffinity.maps("requiredDuringSchedulingIgnoredDuringExecution")) {
      String key = term.text("topologyKey");
      if (!key.equals(HOSTNAME)) {
        throw call.forbidden(
            "affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey "
                + key
                + " but only key "
                + HOSTNAME
                + " is allowed");
      }
    }
  }
}
