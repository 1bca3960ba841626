package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.CertificateRequests;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One round of each controller of nodes, certificates, tokens, volumes, quotas and policies, by
 * kubectl against a server with simulated nodes and two nodes that nobody runs.
 */
final class ClusterControllersIT {

  /** A multiple of the interval in which simulated nodes report. */
  private static final Duration GRACE = Duration.ofSeconds(25);

  @TempDir private static Path directory;
  private static KeelsonProcess server;
  private static Kubectl kubectl;

  @BeforeAll
  static void start() {
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--simulated-nodes=2",
                "--authorization-mode=Node,RBAC",
                "--controllers=*,bootstrap-signer-controller,token-cleaner-controller",
                "--node-monitor-period=1s",
                "--node-monitor-grace-period=" + GRACE.toSeconds() + "s",
                "--terminated-pod-gc-threshold=2"));
    kubectl = new Kubectl(server.kubeconfigFile(), directory);
    // first, so that their times pass during the other tests
    nodesThatNobodyRuns();
    podsThatEnd();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void apply(String yaml) {
    String unused = kubectl.runWithInput(yaml, "apply", "--filename=-");
  }

  private static String field(String object, String path, String... more) {
    String[] command = new String[more.length + 4];
    command[0] = "get";
    command[1] = object;
    command[2] = "--output=jsonpath={" + path + "}";
    command[3] = "--ignore-not-found";
    System.arraycopy(more, 0, command, 4, more.length);
    return kubectl.attempt("", command).out();
  }

  private static void awaitField(String object, String path, String value, String... more) {
    assertEventually(() -> assertThat(field(object, path, more)).isEqualTo(value));
  }

  private static void nodesThatNobodyRuns() {
    apply(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: silent}
        ---
        apiVersion: v1
        kind: Node
        metadata: {name: removed}
        ---
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: silent, namespace: kube-node-lease}
        spec: {holderIdentity: silent, leaseDurationSeconds: 40, renewTime: "%s"}
        """
            .formatted(Instant.now().truncatedTo(ChronoUnit.MICROS)));
    tellReady("silent");
    // Kubernetes' admission taints a node until it is ready
    awaitField("node/silent", ".spec.taints", "");
    apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: brief}
        spec:
          nodeName: silent
          containers: [{name: c, image: nginx}]
          tolerations: [{key: node.kubernetes.io/unreachable, effect: NoExecute, operator: Exists, tolerationSeconds: 1}]
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: patient}
        spec:
          nodeName: silent
          containers: [{name: c, image: nginx}]
          tolerations: [{key: node.kubernetes.io/unreachable, effect: NoExecute, operator: Exists}]
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: orphan, finalizers: [example.com/held]}
        spec: {nodeName: removed, containers: [{name: c, image: nginx}]}
        """);
    patchStatus("pod", "patient", "{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}");
    String unused = kubectl.run("delete", "node", "removed");
  }

  private static void tellReady(String node) {
    patchStatus(
        "node",
        node,
        "{\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\",\"lastHeartbeatTime\":\"%s\"}]}"
            .formatted(Instant.now().truncatedTo(ChronoUnit.SECONDS)));
  }

  private static void patchStatus(String kind, String name, String status) {
    String unused =
        kubectl.run(
            "patch", kind, name, "--subresource=status", "--patch={\"status\":" + status + "}");
  }

  private static void podsThatEnd() {
    for (int i = 0; i < 4; i++) {
      apply(
          """
          apiVersion: v1
          kind: Pod
          metadata: {name: ended-%d, labels: {app: ended}}
          spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}
          """
              .formatted(i));
    }
  }

  @Test
  void silentNode_isUnreachable_andItsPodsAreEvictedInTheirTime() {
    awaitField("node/silent", ".status.conditions[?(@.type=='Ready')].status", "Unknown");
    awaitField(
        "node/silent",
        ".status.conditions[?(@.type=='Ready')].message",
        "Kubelet stopped posting node status.");
    for (String effect : List.of("NoSchedule", "NoExecute")) {
      awaitField(
          "node/silent",
          ".spec.taints[?(@.effect=='" + effect + "')].key",
          "node.kubernetes.io/unreachable");
    }
    awaitField("pod/patient", ".status.conditions[?(@.type=='Ready')].status", "False");
    assertEventually(
        () -> assertThat(field("pod/brief", ".metadata.deletionTimestamp")).isNotEmpty());
    awaitField(
        "pod/brief",
        ".status.conditions[?(@.type=='DisruptionTarget')].reason",
        "DeletionByTaintManager");
    assertThat(field("pod/patient", ".metadata.deletionTimestamp")).isEmpty();
    assertEventually(
        () ->
            assertThat(
                    kubectl.run(
                        "get",
                        "events",
                        "--field-selector=involvedObject.name=silent",
                        "--output=jsonpath={.items[*].message}"))
                .contains("Node silent status is now: NodeNotReady"));

    tellReady("silent");

    awaitField("node/silent", ".spec.taints", "");
  }

  @Test
  void podOfARemovedNode_failsAndGoes() {
    // a minute until it is sure that the node does not come back
    assertThat(
            kubectl.run(
                "wait", "pod/orphan", "--for=jsonpath={.status.phase}=Failed", "--timeout=140s"))
        .contains("condition met");
    assertThat(field("pod/orphan", ".status.conditions[?(@.type=='DisruptionTarget')].reason"))
        .isEqualTo("DeletionByPodGC");
    String unused =
        kubectl.run(
            "patch", "pod", "orphan", "--type=merge", "--patch={\"metadata\":{\"finalizers\":[]}}");
    awaitField("pod/orphan", ".metadata.name", "");
  }

  @Test
  void endedPodsOverTheThreshold_go_theOldestFirst() {
    assertEventually(
        () ->
            assertThat(
                    kubectl.run(
                        "get",
                        "pods",
                        "--selector=app=ended",
                        "--output=jsonpath={.items[*].metadata.name}"))
                .isEqualTo("ended-2 ended-3"));
  }

  @Test
  void node_isToldForHowLongSecretsHold() {
    awaitField("node/simulated-0", ".metadata.annotations.node\\.alpha\\.kubernetes\\.io/ttl", "0");
  }

  private static String request(String name, String signer, KeyPair keys, String subject) {
    return """
    apiVersion: certificates.k8s.io/v1
    kind: CertificateSigningRequest
    metadata: {name: %s}
    spec:
      request: %s
      signerName: kubernetes.io/%s
      usages: [client auth, digital signature]
    """
        .formatted(name, CertificateRequests.request(keys, subject), signer);
  }

  /** Whom the server knows by the certificate of a request. */
  private static String userOf(String request, KeyPair keys) throws IOException {
    assertEventually(() -> assertThat(field("csr/" + request, ".status.certificate")).isNotEmpty());
    Base64.Encoder encoder = Base64.getMimeEncoder(64, new byte[] {'\n'});
    String key =
        "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n"
            .formatted(encoder.encodeToString(keys.getPrivate().getEncoded()));
    String config =
        Files.readString(server.kubeconfigFile())
            .replaceAll(
                "client-certificate-data: .*",
                "client-certificate-data: " + field("csr/" + request, ".status.certificate"))
            .replaceAll(
                "client-key-data: .*",
                "client-key-data: "
                    + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.US_ASCII)));
    Path file = Files.writeString(directory.resolve(request + ".kubeconfig"), config);
    return new Kubectl(file, directory)
        .run(
            "auth",
            "whoami",
            "--output=jsonpath={.status.userInfo.username} {.status.userInfo.groups}");
  }

  @Test
  void approvedRequest_getsACertificateThatCounts() throws IOException {
    KeyPair keys = CertificateRequests.keys();
    apply(request("jane", "kube-apiserver-client", keys, "CN=jane,O=dev"));
    assertThat(field("csr/jane", ".status.certificate")).isEmpty();

    assertThat(kubectl.run("certificate", "approve", "jane")).contains("approved");

    assertThat(userOf("jane", keys)).isEqualTo("jane [\"dev\",\"system:authenticated\"]");
  }

  @Test
  void kubeletThatMayRenew_getsItsCertificateWithoutApproval() throws IOException {
    String unused =
        kubectl.run(
            "create",
            "clusterrolebinding",
            "kubelets-renew",
            "--clusterrole=system:certificates.k8s.io:certificatesigningrequests:selfnodeclient",
            "--group=system:nodes");
    KeyPair keys = CertificateRequests.keys();

    unused =
        kubectl.runWithInput(
            request(
                "worker",
                "kube-apiserver-client-kubelet",
                keys,
                "O=system:nodes,CN=system:node:worker"),
            "create",
            "--filename=-",
            "--as=system:node:worker",
            "--as-group=system:nodes",
            "--as-group=system:authenticated");

    awaitField("csr/worker", ".status.conditions[0].reason", "AutoApproved");
    assertThat(userOf("worker", keys)).startsWith("system:node:worker [\"system:nodes\"");
  }

  @Test
  void ephemeralVolume_hasAClaimOfItsPod() {
    apply(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: worker}
        spec:
          containers: [{name: c, image: nginx}]
          volumes:
          - name: scratch
            ephemeral:
              volumeClaimTemplate:
                metadata: {labels: {of: worker}}
                spec:
                  storageClassName: none
                  accessModes: [ReadWriteOnce]
                  resources: {requests: {storage: 1Gi}}
        """);

    awaitField("pvc/worker-scratch", ".metadata.ownerReferences[0].kind", "Pod");
    assertThat(
            field(
                "pvc/worker-scratch",
                ".metadata.labels.of} {.metadata.ownerReferences[0].controller"))
        .isEqualTo("worker true");
    assertThat(field("pvc/worker-scratch", ".metadata.ownerReferences[0].uid"))
        .isEqualTo(field("pod/worker", ".metadata.uid"));
    String unused = kubectl.run("delete", "pod", "worker", "--wait=false");
    awaitField("pvc/worker-scratch", ".metadata.name", "");
  }

  private static String bootstrapToken(String id, String more) {
    return """
    apiVersion: v1
    kind: Secret
    metadata: {name: bootstrap-token-%s, namespace: kube-system}
    type: bootstrap.kubernetes.io/token
    stringData: {token-id: "%s", token-secret: 0123456789abcdef, %s}
    """
        .formatted(id, id, more);
  }

  @Test
  void clusterInfo_isSignedByBootstrapTokens() throws GeneralSecurityException {
    apply(bootstrapToken("abcdef", "usage-bootstrap-signing: \"true\""));
    apply(
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: cluster-info, namespace: kube-public}
        data: {kubeconfig: "apiVersion: v1"}
        """);

    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    String header =
        encoder.encodeToString(
            "{\"alg\":\"HS256\",\"kid\":\"abcdef\"}".getBytes(StandardCharsets.US_ASCII));
    String payload = encoder.encodeToString("apiVersion: v1".getBytes(StandardCharsets.US_ASCII));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(
        new SecretKeySpec("0123456789abcdef".getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
    byte[] signature = mac.doFinal((header + "." + payload).getBytes(StandardCharsets.US_ASCII));
    String path = ".data.jws-kubeconfig-abcdef";
    String info = "configmap/cluster-info";
    awaitField(
        info, path, header + ".." + encoder.encodeToString(signature), "--namespace=kube-public");

    String unused =
        kubectl.run("delete", "secret", "bootstrap-token-abcdef", "--namespace=kube-system");
    awaitField(info, path, "", "--namespace=kube-public");
  }

  @Test
  void expiredBootstrapToken_isRemoved() {
    Instant soon = Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(3);
    apply(bootstrapToken("000001", "expiration: \"" + soon + "\""));
    apply(bootstrapToken("000002", "expiration: \"" + soon.plusSeconds(3600) + "\""));

    awaitField("secret/bootstrap-token-000001", ".metadata.name", "", "--namespace=kube-system");
    assertThat(Instant.now()).isAfter(soon);
    assertThat(field("secret/bootstrap-token-000002", ".metadata.name", "--namespace=kube-system"))
        .isNotEmpty();
  }

  @Test
  void claimsAndVolumes_stayAsLongAsTheyAreUsed() {
    apply(
        """
        apiVersion: v1
        kind: PersistentVolume
        metadata: {name: kept}
        spec:
          capacity: {storage: 1Gi}
          accessModes: [ReadWriteOnce]
          storageClassName: kept
          hostPath: {path: /kept}
        ---
        apiVersion: v1
        kind: PersistentVolumeClaim
        metadata: {name: kept}
        spec:
          storageClassName: kept
          accessModes: [ReadWriteOnce]
          resources: {requests: {storage: 1Gi}}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: user}
        spec:
          containers: [{name: c, image: nginx}]
          volumes: [{name: v, persistentVolumeClaim: {claimName: kept}}]
        """);
    awaitField("pod/user", ".status.phase", "Running");

    String unused = kubectl.run("delete", "pvc/kept", "pv/kept", "--wait=false");
    assertThat(field("pvc/kept", ".metadata.deletionTimestamp} {.metadata.finalizers"))
        .endsWith("Z [\"kubernetes.io/pvc-protection\"]");
    assertThat(field("pv/kept", ".metadata.deletionTimestamp} {.metadata.finalizers"))
        .endsWith("Z [\"kubernetes.io/pv-protection\"]");
    unused = kubectl.run("delete", "pod/user");

    unused = kubectl.run("wait", "--for=delete", "pvc/kept", "pv/kept", "--timeout=60s");
  }

  @Test
  void policy_isTypeChecked() {
    apply(
        """
        apiVersion: admissionregistration.k8s.io/v1
        kind: ValidatingAdmissionPolicy
        metadata: {name: mistaken}
        spec:
          matchConstraints:
            resourceRules:
            - {apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}
          validations: [{expression: "object.spec.replica > 1"}]
        """);

    String policy = "validatingadmissionpolicy/mistaken";
    awaitField(
        policy,
        ".status.typeChecking.expressionWarnings[0].fieldRef",
        "spec.validations[0].expression");
    assertThat(field(policy, ".status.typeChecking.expressionWarnings[0].warning"))
        .contains("undefined field 'replica'");
    assertThat(field(policy, ".status.observedGeneration"))
        .isEqualTo(field(policy, ".metadata.generation"));
  }

  @Test
  void quota_isCounted() {
    String unused = kubectl.run("create", "namespace", "counted");
    awaitField("configmap/kube-root-ca.crt", ".metadata.name", "kube-root-ca.crt", "-ncounted");
    unused = kubectl.run("create", "quota", "maps", "--hard=configmaps=5", "-ncounted");
    awaitField(
        "quota/maps", ".status.hard.configmaps} {.status.used.configmaps", "5 1", "-ncounted");

    unused = kubectl.run("create", "configmap", "one", "-ncounted");
    awaitField("quota/maps", ".status.used.configmaps", "2", "-ncounted");
    unused = kubectl.run("delete", "configmap", "one", "-ncounted");
    awaitField("quota/maps", ".status.used.configmaps", "1", "-ncounted");
  }
}
