package dev.keelson.config.kubernetes;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The names of the controllers of kube-controller-manager 1.36, with those that they had before
 * 1.28 (source: {@code cmd/kube-controller-manager/names}).
 */
public final class KubernetesControllers {

  private static final Set<String> OFF =
      Set.of(
          "bootstrap-signer-controller", "token-cleaner-controller", "selinux-warning-controller");

  /** Each with its old name, if it has one. */
  private static final String NAMES =
      """
      certificatesigningrequest-approving-controller csrapproving
      certificatesigningrequest-cleaner-controller csrcleaner
      certificatesigningrequest-signing-controller csrsigning
      bootstrap-signer-controller bootstrapsigner
      clusterrole-aggregation-controller clusterrole-aggregation
      cronjob-controller cronjob
      daemonset-controller daemonset
      deployment-controller deployment
      device-taint-eviction-controller
      disruption-controller disruption
      endpoints-controller endpoint
      endpointslice-controller endpointslice
      endpointslice-mirroring-controller endpointslicemirroring
      ephemeral-volume-controller ephemeral-volume
      garbage-collector-controller garbagecollector
      horizontal-pod-autoscaler-controller horizontalpodautoscaling
      job-controller job
      kube-apiserver-serving-clustertrustbundle-publisher-controller
      legacy-serviceaccount-token-cleaner-controller legacy-service-account-token-cleaner
      namespace-controller namespace
      node-ipam-controller nodeipam
      node-lifecycle-controller nodelifecycle
      persistentvolume-attach-detach-controller attachdetach
      persistentvolume-binder-controller persistentvolume-binder
      persistentvolume-expander-controller persistentvolume-expander
      persistentvolume-protection-controller pv-protection
      persistentvolumeclaim-protection-controller pvc-protection
      pod-garbage-collector-controller podgc
      podcertificaterequest-cleaner-controller
      replicaset-controller replicaset
      replicationcontroller-controller replicationcontroller
      resourceclaim-controller resource-claim-controller
      resourcequota-controller resourcequota
      root-ca-certificate-publisher-controller root-ca-cert-publisher
      selinux-warning-controller
      service-cidr-controller
      serviceaccount-controller serviceaccount
      serviceaccount-token-controller serviceaccount-token
      statefulset-controller statefulset
      storage-version-migrator-controller
      storageversion-garbage-collector-controller storage-version-gc
      taint-eviction-controller
      token-cleaner-controller tokencleaner
      ttl-after-finished-controller ttl-after-finished
      ttl-controller ttl
      validatingadmissionpolicy-status-controller
      volumeattributesclass-protection-controller
      """;

  private final Map<String, String> canonical = new HashMap<>();

  /** Fills the table. */
  public KubernetesControllers() {
    NAMES
        .lines()
        .forEach(
            line -> {
              String[] names = line.strip().split(" ", -1);
              Arrays.stream(names).forEach(name -> canonical.put(name, names[0]));
            });
  }

  /** The name of a controller by that or its old one; empty if there is none. */
  public Optional<String> find(String name) {
    return Optional.ofNullable(canonical.get(name));
  }

  /** Whether {@code *} stands for this controller, too. */
  public boolean byDefault(String name) {
    return !OFF.contains(name);
  }

  /** All names, without the old ones. */
  public Set<String> names() {
    return Set.copyOf(canonical.values());
  }
}
