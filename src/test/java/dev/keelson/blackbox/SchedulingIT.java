package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the scheduler places pods with volumes, and its words when it cannot. */
final class SchedulingIT {

  /** Volumes of one driver, bound to the claims of the same name; two fit a node. */
  private static final String VOLUME =
      """
      {apiVersion: v1, kind: PersistentVolume, metadata: {name: NAME, labels: {LABELS}}, spec: {
        capacity: {storage: 1Gi}, accessModes: [MODE], storageClassName: none,
        claimRef: {namespace: default, name: NAME},
        csi: {driver: csi.example.com, volumeHandle: NAME}}}
      ---
      {apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: NAME}, spec: {
        accessModes: [MODE], storageClassName: none, volumeName: NAME,
        resources: {requests: {storage: 1Gi}}}}
      """;

  private static final String POD =
      """
      {apiVersion: v1, kind: Pod, metadata: {name: NAME}, spec: {
        nodeSelector: {kubernetes.io/hostname: NODE},
        containers: [{name: c, image: nginx}], volumes: [VOLUMES]}}
      """;

  @TempDir private static Path directory;
  private static KeelsonProcess server;
  private static Kubectl kubectl;

  @BeforeAll
  static void start() {
    server =
        KeelsonProcess.start(
            directory.resolve("data"), List.of("--simulated-nodes=3", "--authorization-mode=RBAC"));
    kubectl = new Kubectl(server.kubeconfigFile(), directory);
    for (String node : List.of("simulated-0", "simulated-1", "simulated-2")) {
      String unused = kubectl.run("wait", "--for=create", "node/" + node, "--timeout=60s");
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void apply(String... documents) {
    String unused =
        kubectl.runWithInput("---\n" + String.join("---\n", documents), "apply", "-f", "-");
  }

  private static String volume(String name, String mode, String labels) {
    return VOLUME.replace("NAME", name).replace("MODE", mode).replace("LABELS", labels);
  }

  private static void bound(String... claims) {
    for (String claim : claims) {
      String unused =
          kubectl.run(
              "wait", "--for=jsonpath={.status.phase}=Bound", "pvc/" + claim, "--timeout=60s");
    }
  }

  private static String pod(String name, String node, String volumes) {
    return POD.replace("NAME", name).replace("NODE", node).replace("VOLUMES", volumes);
  }

  private static String use(String claim) {
    return "{name: %s, persistentVolumeClaim: {claimName: %s}}".formatted(claim, claim);
  }

  private static void assertPlaced(String pod) {
    assertThat(kubectl.run("wait", "--for=condition=PodScheduled", "pod/" + pod, "--timeout=60s"))
        .contains("condition met");
  }

  /** The message of a pod that no node takes. */
  private static String refusal(String pod) {
    String unused =
        kubectl.run("wait", "--for=condition=PodScheduled=false", "pod/" + pod, "--timeout=60s");
    return kubectl.run(
        "get",
        "pod",
        pod,
        "-o",
        "jsonpath={.status.conditions[?(@.type=='PodScheduled')].message}");
  }

  @Test
  void nodeTakesAsManyVolumes_asItsDriverAttaches() {
    apply(
        """
        {apiVersion: storage.k8s.io/v1, kind: CSINode, metadata: {name: simulated-0}, spec: {
          drivers: [{name: csi.example.com, nodeID: here, allocatable: {count: 2}}]}}
        """,
        volume("limit-a", "ReadWriteOnce", ""),
        volume("limit-b", "ReadWriteOnce", ""),
        volume("limit-c", "ReadWriteOnce", ""));
    bound("limit-a", "limit-b", "limit-c");
    apply(pod("two", "simulated-0", use("limit-a") + "," + use("limit-b")));
    assertPlaced("two");

    apply(pod("same", "simulated-0", use("limit-a")), pod("third", "simulated-0", use("limit-c")));

    assertPlaced("same");
    assertThat(refusal("third"))
        .startsWith(
            "0/3 nodes are available: 1 node(s) exceed max volume count, 2 node(s) didn't match"
                + " Pod's node affinity/selector.");

    String unused = kubectl.run("delete", "pod", "two", "same", "--wait=false");
    assertPlaced("third");
  }

  @Test
  void exclusiveClaim_isForOnePodOfTheCluster() {
    apply(volume("once", "ReadWriteOncePod", ""));
    bound("once");
    apply(pod("first", "simulated-1", use("once")));
    assertPlaced("first");

    apply(pod("second", "simulated-2", use("once")));

    assertThat(refusal("second"))
        .startsWith(
            "0/3 nodes are available: 1 node has pod using PersistentVolumeClaim with the same name"
                + " and ReadWriteOncePod access mode, 2 node(s) didn't match Pod's node"
                + " affinity/selector.");

    String unused = kubectl.run("delete", "pod", "first", "--wait=false");
    assertPlaced("second");
  }

  @Test
  void diskIsForOneNodeAtATime() {
    String disk = "{name: d, gcePersistentDisk: {pdName: shared}}";
    apply(pod("writer", "simulated-1", disk));
    assertPlaced("writer");

    apply(pod("other", "simulated-1", disk), pod("elsewhere", "simulated-2", disk));

    assertPlaced("elsewhere");
    assertThat(refusal("other")).contains("1 node(s) had no available disk,");
  }

  @Test
  void volumeIsUsedInItsZone() {
    String zone = "topology.kubernetes.io/zone";
    String unused = kubectl.run("label", "node", "simulated-2", zone + "=b", "--overwrite");
    apply(volume("zoned", "ReadWriteOnce", zone + ": a"));
    bound("zoned");

    apply(pod("zonal", "simulated-2", use("zoned")));

    assertThat(refusal("zonal")).contains("1 node(s) had no available volume zone,");

    String unused2 = kubectl.run("label", "node", "simulated-2", zone + "=a", "--overwrite");
    assertPlaced("zonal");
  }

  private static final String DEVICES =
      """
      {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: gpu}, spec: {
        selectors: [{cel: {expression: "device.driver == 'gpu.example.com'"}}]}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: gpus}, spec: {
        driver: gpu.example.com, nodeName: simulated-1,
        pool: {name: simulated-1, generation: 1, resourceSliceCount: 1},
        devices: [{name: small, attributes: {model: {string: s}}, capacity: {memory: {value: 8Gi}}},
          {name: large, attributes: {model: {string: l}}, capacity: {memory: {value: 80Gi}}}]}}
      ---
      {apiVersion: resource.k8s.io/v1, kind: ResourceClaimTemplate, metadata: {name: large}, spec: {
        spec: {devices: {requests: [{name: r, exactly: {deviceClassName: gpu, selectors: [
          {cel: {expression: "device.capacity['gpu.example.com'].memory.isGreaterThan(quantity('10Gi'))"}}
        ]}}]}}}}
      """;

  private static String user(String name, String claim) {
    return "{apiVersion: v1, kind: Pod, metadata: {name: %s}, spec: {containers: [{name: c, image: nginx, resources: {claims: [{name: d}]}}], resourceClaims: [{name: d, %s}]}}\n"
        .formatted(name, claim);
  }

  private static String get(String object, String path) {
    return kubectl.run("get", object, "-o", "jsonpath={" + path + "}");
  }

  @Test
  void podsGetDevices_andOthersWaitForThem() {
    apply(DEVICES);
    apply(user("trains", "resourceClaimTemplateName: large"));
    assertPlaced("trains");

    assertThat(get("pod/trains", ".spec.nodeName")).isEqualTo("simulated-1");
    String claim =
        "resourceclaim/" + get("pod/trains", ".status.resourceClaimStatuses[0].resourceClaimName");
    assertThat(get(claim, ".status.allocation.devices.results[*].device")).isEqualTo("large");
    assertThat(
            get(
                claim,
                ".status.allocation.nodeSelector.nodeSelectorTerms[0].matchFields[0].values"))
        .contains("simulated-1");
    assertThat(get(claim, ".status.reservedFor[*].name")).isEqualTo("trains");
    assertThat(get(claim, ".metadata.finalizers"))
        .contains("resource.kubernetes.io/delete-protection");

    apply(user("waits", "resourceClaimTemplateName: large"));
    assertThat(refusal("waits"))
        .isEqualTo(
            "0/3 nodes are available: 3 cannot allocate all claims. still not schedulable,"
                + " preemption: 0/3 nodes are available: 3 Preemption is not helpful for"
                + " scheduling.");

    String unused = kubectl.run("delete", "pod", "trains", "--wait=false");
    assertPlaced("waits");
  }

  @Test
  void claimOfSeveralPods_isAllocatedOnce() {
    apply(
        """
        {apiVersion: resource.k8s.io/v1, kind: DeviceClass, metadata: {name: shared}}
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceSlice, metadata: {name: shared}, spec: {
          driver: shared.example.com, nodeName: simulated-2,
          pool: {name: simulated-2, generation: 1, resourceSliceCount: 1}, devices: [{name: one}]}}
        ---
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: shared}, spec: {devices: {
          requests: [{name: r, exactly: {deviceClassName: shared, selectors: [
            {cel: {expression: "device.driver == 'shared.example.com'"}}]}}]}}}
        """);
    apply(
        user("share-a", "resourceClaimName: shared"), user("share-b", "resourceClaimName: shared"));

    assertPlaced("share-a");
    assertPlaced("share-b");
    assertThat(get("pod/share-a", ".spec.nodeName")).isEqualTo("simulated-2");
    assertThat(get("pod/share-b", ".spec.nodeName")).isEqualTo("simulated-2");
    assertThat(get("resourceclaim/shared", ".status.reservedFor[*].name"))
        .contains("share-a", "share-b");
  }

  @Test
  void podWaits_untilItsClaimIsThere() {
    apply(user("early", "resourceClaimName: late"));
    assertThat(kubectl.run("get", "pod", "early", "-o", "jsonpath={.spec.nodeName}")).isEmpty();

    apply(
        """
        {apiVersion: resource.k8s.io/v1, kind: ResourceClaim, metadata: {name: late}, spec: {devices: {
          requests: [{name: r, exactly: {deviceClassName: none}}]}}}
        """);

    assertThat(refusal("early"))
        .startsWith("0/3 nodes are available: request r: device class none does not exist.");
  }
}
