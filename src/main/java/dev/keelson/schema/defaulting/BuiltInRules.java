package dev.keelson.schema.defaulting;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rules of the built-in structs, by the full name of the struct, which has its version. */
final class BuiltInRules {

  private static final String API = "io.k8s.api.";
  private static final String DEFINITIONS =
      "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.";
  private static final String RBAC_GROUP = "rbac.authorization.k8s.io";

  private final Map<String, StructRule> rules = new HashMap<>();

  private BuiltInRules() {}

  static Map<String, StructRule> byStruct() {
    BuiltInRules all = new BuiltInRules();
    all.core();
    all.resourceLists();
    all.workloads();
    all.others();
    return all.rules;
  }

  private void rule(String struct, StructRule rule) {
    rules.put(API + struct, rule);
  }

  private void core() {
    rule("core.v1.Container", PodRules::container);
    rule("core.v1.EphemeralContainer", PodRules::container);
    rule("core.v1.Volume", PodRules::volume);
    rule("core.v1.Pod", PodRules::pod);
    rule("core.v1.PodSpec", ResourceLists.in("overhead").then(PodRules::accountAlias));
    rule("core.v1.PodStatus", ResourceLists.in("allocatedResources").then(AddressRules::podStatus));
    rule("core.v1.NodeSpec", AddressRules::nodeSpec);
    rule("core.v1.Secret", BuiltInRules::secret);
    rule("core.v1.PersistentVolume", BuiltInRules::volume);
    rule(
        "core.v1.LimitRangeItem",
        ResourceLists.in("max", "min", "default", "defaultRequest", "maxLimitRequestRatio")
            .then(PodRules::limitRangeItem));
    rule(
        "core.v1.NodeStatus",
        ResourceLists.in("capacity", "allocatable").then(PodRules::nodeStatus));
    rule("core.v1.Namespace", PodRules::namespace);
    rule("core.v1.ServiceSpec", ServiceRules::spec);
    rule("core.v1.ServicePort", ServiceRules::port);
    rule("core.v1.LoadBalancerIngress", ServiceRules::ingress);
    rule("core.v1.ReplicationController", WorkloadRules::controllerFromTemplate);
  }

  private void resourceLists() {
    for (String struct : List.of("ResourceRequirements", "VolumeResourceRequirements")) {
      rule("core.v1." + struct, ResourceLists.in("limits", "requests"));
    }
    rule("core.v1.ContainerStatus", ResourceLists.in("allocatedResources"));
    rule("core.v1.PersistentVolumeSpec", ResourceLists.in("capacity"));
    rule("core.v1.PersistentVolumeClaimStatus", ResourceLists.in("capacity", "allocatedResources"));
    rule("core.v1.ResourceQuotaSpec", ResourceLists.in("hard"));
    rule("core.v1.ResourceQuotaStatus", ResourceLists.in("hard", "used"));
    rule("node.v1.Overhead", ResourceLists.in("podFixed"));
  }

  private void workloads() {
    for (String version : List.of("apps.v1.", "extensions.v1beta1.")) {
      rule(version + "DeploymentStrategy", strategy("RollingUpdate"));
    }
    rule("apps.v1.DaemonSetUpdateStrategy", strategy("RollingUpdate"));
    rule("apps.v1.StatefulSetUpdateStrategy", WorkloadRules::unnamedStrategy);
    rule("apps.v1.StatefulSetSpec", WorkloadRules::volumeClaims);
    rule("extensions.v1beta1.DaemonSetUpdateStrategy", strategy("OnDelete"));
    for (String kind : List.of("DaemonSet", "Deployment", "ReplicaSet")) {
      rule("extensions.v1beta1." + kind, WorkloadRules::fromTemplate);
    }
    rule("batch.v1.Job", WorkloadRules::job);
  }

  private static StructRule strategy(String otherwise) {
    return strategy -> WorkloadRules.rollingUpdate(strategy, otherwise);
  }

  private void others() {
    rules.put(DEFINITIONS + "CustomResourceDefinition", CustomResourceRules::definition);
    rules.put(DEFINITIONS + "CustomResourceDefinitionSpec", CustomResourceRules::spec);
    rule("autoscaling.v1.HorizontalPodAutoscaler", AutoscalerRules::v1);
    rule("autoscaling.v2.HorizontalPodAutoscalerSpec", AutoscalerRules::v2Spec);
    rule("networking.v1.NetworkPolicySpec", BuiltInRules::policyTypes);
    rule("rbac.v1.Subject", BuiltInRules::subject);
    rule("resource.v1.ExactDeviceRequest", BuiltInRules::deviceCount);
    rule("resource.v1.DeviceSubRequest", BuiltInRules::deviceCount);
  }

  /**
   * Volumes themselves are kept and have a file system; a spec in another object stays as it is.
   */
  private static MapNode volume(MapNode volume) {
    return Values.edited(
        volume,
        "spec",
        spec ->
            Values.ifUnset(
                Values.ifNoText(spec, "persistentVolumeReclaimPolicy", "Retain"),
                "volumeMode",
                Node.text("Filesystem")));
  }

  /** Moves {@code stringData}, which is write-only, into {@code data}. */
  private static MapNode secret(MapNode secret) {
    MapNode.Builder data = MapNode.builder(4);
    secret.map("data").forEach(data::set);
    for (Map.Entry<String, String> plain : secret.map("stringData").texts().entrySet()) {
      byte[] bytes = plain.getValue().getBytes(StandardCharsets.UTF_8);
      data.set(plain.getKey(), Node.text(Base64.getEncoder().encodeToString(bytes)));
    }
    MapNode written = secret.without("stringData");
    MapNode all = data.build();
    return all.isEmpty() ? written : written.with("data", all);
  }

  /** A policy is about incoming traffic, and about outgoing traffic if it says anything of it. */
  private static MapNode policyTypes(MapNode spec) {
    if (!spec.items("policyTypes").isEmpty()) {
      return spec;
    }
    List<String> types = new ArrayList<>(List.of("Ingress"));
    if (!spec.items("egress").isEmpty()) {
      types.add("Egress");
    }
    return spec.with("policyTypes", Node.texts(types));
  }

  /** A request is for one device, unless it is for all or says how many. */
  private static MapNode deviceCount(MapNode request) {
    MapNode next = Values.ifNoText(request, "allocationMode", "ExactCount");
    boolean counts = next.text("allocationMode").equals("ExactCount");
    boolean unset = !Values.isSet(next, "count") || new Node.Int(0).equals(next.get("count"));
    return counts && unset ? next.with("count", new Node.Int(1)) : next;
  }

  private static MapNode subject(MapNode subject) {
    return switch (subject.text("kind")) {
      case "User", "Group" -> Values.ifNoText(subject, "apiGroup", RBAC_GROUP);
      default -> subject;
    };
  }
}
