package dev.keelson.schema.table;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The fields that the printers look at, so that rows can be made without reading the rest. The
 * paths are in the notation of {@link TableDefinition#fields}.
 */
final class TableFields {

  private static final String[] OF_ALL = {
    "metadata.name", "metadata.creationTimestamp", "metadata.deletionTimestamp"
  };

  private TableFields() {}

  /** What is read of a kind that has no table of its own. */
  static List<String> ofAll() {
    return List.of(OF_ALL);
  }

  /** The paths by kind. */
  static Map<String, List<String>> byKind() {
    Map<String, List<String>> all = new HashMap<>();
    workloads(all);
    network(all);
    storage(all);
    cluster(all);
    access(all);
    return all;
  }

  private static void put(Map<String, List<String>> all, String kind, String... paths) {
    all.put(kind, Stream.concat(Stream.of(OF_ALL), Stream.of(paths)).toList());
  }

  private static String[] with(String[] paths, String... more) {
    return Stream.concat(Stream.of(paths), Stream.of(more)).toArray(String[]::new);
  }

  private static void workloads(Map<String, List<String>> all) {
    put(
        all,
        "Pod",
        "spec.containers.#",
        "spec.initContainers.name",
        "spec.initContainers.restartPolicy",
        "spec.nodeName",
        "spec.readinessGates.conditionType",
        "status.phase",
        "status.reason",
        "status.nominatedNodeName",
        "status.podIP",
        "status.podIPs.ip",
        "status.conditions.type",
        "status.conditions.status",
        "status.conditions.reason",
        "status.initContainerStatuses.name",
        "status.initContainerStatuses.ready",
        "status.initContainerStatuses.started",
        "status.initContainerStatuses.restartCount",
        "status.initContainerStatuses.state",
        "status.initContainerStatuses.lastState.terminated.finishedAt",
        "status.containerStatuses.ready",
        "status.containerStatuses.restartCount",
        "status.containerStatuses.state",
        "status.containerStatuses.lastState.terminated.finishedAt");
    put(
        all,
        "PodTemplate",
        "template.spec.containers.name",
        "template.spec.containers.image",
        "template.metadata.labels");
    String[] workload = {
      "spec.replicas",
      "spec.selector",
      "spec.template.spec.containers.name",
      "spec.template.spec.containers.image"
    };
    String[] replicas = with(workload, "status.replicas", "status.readyReplicas");
    put(all, "ReplicationController", replicas);
    put(all, "ReplicaSet", replicas);
    put(all, "StatefulSet", replicas);
    put(all, "Deployment", with(replicas, "status.updatedReplicas", "status.availableReplicas"));
    put(
        all,
        "DaemonSet",
        with(
            workload,
            "spec.template.spec.nodeSelector",
            "status.desiredNumberScheduled",
            "status.currentNumberScheduled",
            "status.numberReady",
            "status.updatedNumberScheduled",
            "status.numberAvailable"));
    put(
        all,
        "Job",
        with(
            workload,
            "spec.completions",
            "spec.parallelism",
            "status.conditions.type",
            "status.conditions.status",
            "status.succeeded",
            "status.startTime",
            "status.completionTime"));
    put(
        all,
        "CronJob",
        "spec.schedule",
        "spec.timeZone",
        "spec.suspend",
        "spec.jobTemplate.spec.selector",
        "spec.jobTemplate.spec.template.spec.containers.name",
        "spec.jobTemplate.spec.template.spec.containers.image",
        "status.active.#",
        "status.lastScheduleTime");
    put(
        all,
        "HorizontalPodAutoscaler",
        "spec.scaleTargetRef",
        "spec.metrics",
        "spec.minReplicas",
        "spec.maxReplicas",
        "status.currentMetrics",
        "status.currentReplicas");
    put(
        all,
        "PodDisruptionBudget",
        "spec.minAvailable",
        "spec.maxUnavailable",
        "status.disruptionsAllowed");
    put(all, "ControllerRevision", "metadata.ownerReferences", "revision");
    put(all, "Scale", "spec.replicas", "status.replicas");
  }

  private static void network(Map<String, List<String>> all) {
    put(
        all,
        "Service",
        "spec.type",
        "spec.clusterIP",
        "spec.clusterIPs",
        "spec.externalIPs",
        "spec.externalName",
        "spec.ports",
        "spec.selector",
        "status.loadBalancer.ingress.ip",
        "status.loadBalancer.ingress.hostname");
    put(all, "Endpoints", "subsets.addresses.ip", "subsets.ports.port");
    put(all, "EndpointSlice", "addressType", "ports.port", "ports.name", "endpoints.addresses");
    put(
        all,
        "Ingress",
        "spec.ingressClassName",
        "spec.rules.host",
        "spec.tls.#",
        "status.loadBalancer.ingress.ip",
        "status.loadBalancer.ingress.hostname");
    put(all, "IngressClass", "spec.controller", "spec.parameters");
    put(all, "NetworkPolicy", "spec.podSelector");
    put(all, "IPAddress", "spec.parentRef");
    put(all, "ServiceCIDR", "spec.cidrs");
  }

  private static void storage(Map<String, List<String>> all) {
    put(
        all,
        "PersistentVolume",
        "metadata.annotations",
        "spec.capacity.storage",
        "spec.accessModes",
        "spec.persistentVolumeReclaimPolicy",
        "spec.claimRef",
        "spec.storageClassName",
        "spec.volumeAttributesClassName",
        "spec.volumeMode",
        "status.phase",
        "status.reason");
    put(
        all,
        "PersistentVolumeClaim",
        "metadata.annotations",
        "spec.volumeName",
        "spec.storageClassName",
        "spec.volumeAttributesClassName",
        "spec.volumeMode",
        "status.phase",
        "status.capacity.storage",
        "status.accessModes");
    put(
        all,
        "StorageClass",
        "metadata.annotations",
        "provisioner",
        "reclaimPolicy",
        "volumeBindingMode",
        "allowVolumeExpansion");
    put(all, "VolumeAttributesClass", "metadata.annotations", "driverName");
    put(
        all,
        "VolumeAttachment",
        "spec.attacher",
        "spec.nodeName",
        "spec.source.persistentVolumeName",
        "status.attached");
    put(all, "CSINode", "spec.drivers.#");
    put(all, "CSIDriver", "spec");
    put(all, "CSIStorageCapacity", "storageClassName", "capacity");
  }

  private static void cluster(Map<String, List<String>> all) {
    put(
        all,
        "Node",
        "metadata.labels",
        "spec.unschedulable",
        "status.addresses",
        "status.conditions.type",
        "status.conditions.status",
        "status.nodeInfo");
    put(
        all,
        "Event",
        "involvedObject.kind",
        "involvedObject.name",
        "involvedObject.fieldPath",
        "reason",
        "message",
        "source",
        "firstTimestamp",
        "lastTimestamp",
        "count",
        "type",
        "eventTime",
        "series",
        "reportingComponent",
        "reportingInstance");
    put(all, "Namespace", "status.phase");
    put(all, "VisibleNamespace", "status.phase", "status.readable");
    put(all, "Secret", "type", "data.#");
    put(all, "ConfigMap", "data.#", "binaryData.#");
    put(all, "ServiceAccount", "secrets.#");
    put(all, "ResourceQuota", "status.hard", "status.used");
    put(all, "ComponentStatus", "conditions");
    put(all, "Lease", "spec.holderIdentity");
    put(all, "PriorityClass", "value", "globalDefault", "preemptionPolicy");
    put(all, "RuntimeClass", "handler");
  }

  private static void access(Map<String, List<String>> all) {
    for (String kind : List.of("RoleBinding", "ClusterRoleBinding")) {
      put(
          all,
          kind,
          "roleRef.kind",
          "roleRef.name",
          "subjects.kind",
          "subjects.name",
          "subjects.namespace");
    }
    put(
        all,
        "CertificateSigningRequest",
        "spec.signerName",
        "spec.username",
        "spec.expirationSeconds",
        "status.conditions.type",
        "status.certificate");
    put(all, "MutatingWebhookConfiguration", "webhooks.#");
    put(all, "ValidatingWebhookConfiguration", "webhooks.#");
    put(all, "ValidatingAdmissionPolicy", "spec.validations.#", "spec.paramKind");
    put(all, "MutatingAdmissionPolicy", "spec.mutations.#", "spec.paramKind");
    put(all, "ValidatingAdmissionPolicyBinding", "spec.policyName", "spec.paramRef");
    put(all, "MutatingAdmissionPolicyBinding", "spec.policyName", "spec.paramRef");
    put(
        all,
        "FlowSchema",
        "spec.priorityLevelConfiguration.name",
        "spec.matchingPrecedence",
        "spec.distinguisherMethod",
        "status.conditions.type",
        "status.conditions.status");
    put(all, "PriorityLevelConfiguration", "spec.type", "spec.limited");
  }
}
