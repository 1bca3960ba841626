package dev.keelson.admission;

import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * Whether the spec of a pod refers to objects of some kinds, in a container or a volume (source:
 * Kubernetes' {@code VisitPodSecretNames} and {@code VisitPodConfigmapNames}).
 */
public final class PodReferences {

  private static final List<String> CONTAINERS =
      List.of("initContainers", "containers", "ephemeralContainers");
  private static final List<String> SECRET_REFS =
      List.of("cephfs", "cinder", "flexVolume", "iscsi", "rbd", "scaleIO", "storageos");

  private PodReferences() {}

  /** Whether it refers to a Secret. */
  public static boolean toSecrets(MapNode spec) {
    return refers(spec, "secretRef", "secretKeyRef", "secret") || volumeSecrets(spec);
  }

  /** Whether it refers to a ConfigMap. */
  public static boolean toConfigMaps(MapNode spec) {
    return refers(spec, "configMapRef", "configMapKeyRef", "configMap");
  }

  /** Whether env, envFrom or a volume refers to an object of one kind. */
  private static boolean refers(MapNode spec, String all, String one, String volumeKind) {
    for (String list : CONTAINERS) {
      for (MapNode container : spec.maps(list)) {
        for (MapNode source : container.maps("envFrom")) {
          if (source.has(all)) {
            return true;
          }
        }
        for (MapNode variable : container.maps("env")) {
          if (variable.map("valueFrom").has(one)) {
            return true;
          }
        }
      }
    }
    for (MapNode volume : spec.maps("volumes")) {
      if (volume.has(volumeKind)) {
        return true;
      }
      for (MapNode source : volume.map("projected").maps("sources")) {
        if (source.has(volumeKind)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean volumeSecrets(MapNode spec) {
    if (!spec.items("imagePullSecrets").isEmpty()) {
      return true;
    }
    for (MapNode volume : spec.maps("volumes")) {
      if (!volume.map("azureFile").text("secretName").isEmpty()
          || volume.map("csi").has("nodePublishSecretRef")) {
        return true;
      }
      for (String kind : SECRET_REFS) {
        if (volume.map(kind).has("secretRef")) {
          return true;
        }
      }
    }
    return false;
  }
}
