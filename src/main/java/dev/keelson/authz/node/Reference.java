package dev.keelson.authz.node;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A reference to an object.
 *
 * @param resource the plural
 * @param namespace empty for cluster-scoped objects
 */
record Reference(String resource, String namespace, String name) {

  static final String SECRETS = "secrets";
  static final String CONFIG_MAPS = "configmaps";
  static final String CLAIMS = "persistentvolumeclaims";
  static final String ACCOUNTS = "serviceaccounts";
  static final String RESOURCE_CLAIMS = "resourceclaims";

  private static final List<String> CONTAINERS =
      List.of("initContainers", "containers", "ephemeralContainers");

  /** The objects that a pod refers to. */
  static Set<Reference> ofPod(ApiObject pod) {
    Set<Reference> found = new LinkedHashSet<>();
    String namespace = pod.meta().namespace();
    MapNode spec = pod.root().map("spec");
    add(found, ACCOUNTS, namespace, spec.text("serviceAccountName"));
    for (MapNode secret : spec.maps("imagePullSecrets")) {
      add(found, SECRETS, namespace, secret.text("name"));
    }
    for (String list : CONTAINERS) {
      for (MapNode container : spec.maps(list)) {
        environment(container, namespace, found);
      }
    }
    for (MapNode volume : spec.maps("volumes")) {
      volume(volume, pod, found);
    }
    resourceClaims(pod, spec, found);
    return found;
  }

  /** Adds the ResourceClaims of the spec and those created from templates. */
  private static void resourceClaims(ApiObject pod, MapNode spec, Set<Reference> found) {
    String namespace = pod.meta().namespace();
    MapNode status = pod.root().map("status");
    for (MapNode claim : spec.maps("resourceClaims")) {
      String name = claim.text("resourceClaimName");
      if (name.isEmpty()) {
        for (MapNode made : status.maps("resourceClaimStatuses")) {
          if (made.text("name").equals(claim.text("name"))) {
            add(found, RESOURCE_CLAIMS, namespace, made.text("resourceClaimName"));
          }
        }
      }
      add(found, RESOURCE_CLAIMS, namespace, name);
    }
    add(
        found,
        RESOURCE_CLAIMS,
        namespace,
        status.map("extendedResourceClaimStatus").text("resourceClaimName"));
  }

  private static void environment(MapNode container, String namespace, Set<Reference> found) {
    for (MapNode source : container.maps("envFrom")) {
      add(found, CONFIG_MAPS, namespace, source.map("configMapRef").text("name"));
      add(found, SECRETS, namespace, source.map("secretRef").text("name"));
    }
    for (MapNode variable : container.maps("env")) {
      MapNode from = variable.map("valueFrom");
      add(found, CONFIG_MAPS, namespace, from.map("configMapKeyRef").text("name"));
      add(found, SECRETS, namespace, from.map("secretKeyRef").text("name"));
    }
  }

  private static void volume(MapNode volume, ApiObject pod, Set<Reference> found) {
    String namespace = pod.meta().namespace();
    add(found, SECRETS, namespace, volume.map("secret").text("secretName"));
    add(found, CONFIG_MAPS, namespace, volume.map("configMap").text("name"));
    add(found, CLAIMS, namespace, volume.map("persistentVolumeClaim").text("claimName"));
    if (volume.has("ephemeral")) {
      add(found, CLAIMS, namespace, pod.meta().name() + "-" + volume.text("name"));
    }
    for (MapNode source : volume.map("projected").maps("sources")) {
      add(found, SECRETS, namespace, source.map("secret").text("name"));
      add(found, CONFIG_MAPS, namespace, source.map("configMap").text("name"));
    }
    add(found, SECRETS, namespace, volume.map("azureFile").text("secretName"));
    add(found, SECRETS, namespace, volume.map("csi").map("nodePublishSecretRef").text("name"));
    for (String kind :
        List.of("cephfs", "cinder", "flexVolume", "iscsi", "rbd", "scaleIO", "storageos")) {
      add(found, SECRETS, namespace, volume.map(kind).map("secretRef").text("name"));
    }
  }

  /** The Secrets that a PersistentVolume refers to. */
  static Set<Reference> ofVolume(MapNode spec, String claimNamespace) {
    Set<Reference> found = new LinkedHashSet<>();
    MapNode azure = spec.map("azureFile");
    String azureNamespace = azure.text("secretNamespace");
    add(
        found,
        SECRETS,
        azureNamespace.isEmpty() ? claimNamespace : azureNamespace,
        azure.text("secretName"));
    for (String kind :
        List.of("cephfs", "cinder", "flexVolume", "iscsi", "rbd", "scaleIO", "storageos")) {
      secret(found, spec.map(kind).map("secretRef"), claimNamespace);
    }
    for (String key :
        List.of("nodePublishSecretRef", "nodeStageSecretRef", "nodeExpandSecretRef")) {
      secret(found, spec.map("csi").map(key), claimNamespace);
    }
    return found;
  }

  private static void secret(Set<Reference> found, MapNode ref, String claimNamespace) {
    String namespace = ref.text("namespace");
    add(found, SECRETS, namespace.isEmpty() ? claimNamespace : namespace, ref.text("name"));
  }

  private static void add(Set<Reference> found, String resource, String namespace, String name) {
    if (!name.isEmpty()) {
      found.add(new Reference(resource, namespace, name));
    }
  }

  /** Whether the pod is a mirror pod, created by a kubelet: its references grant nothing. */
  static boolean isMirror(ApiObject pod) {
    return pod.root().at("metadata", "annotations", "kubernetes.io/config.mirror") != null;
  }
}
