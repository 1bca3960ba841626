package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.ComponentProcess;
import dev.keelson.testing.FreePort;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.WhoAmI;
import dev.keelson.webhook.ServerTrust;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** {@code keelson controllers} beside a server that runs none of them. */
@TestInstance(Lifecycle.PER_CLASS)
class StandaloneControllersIT {

  /** For tests in which no lease is to be lost, however slow the machine. */
  private static final List<String> PATIENT =
      List.of("--leader-elect-lease-duration=3m", "--leader-elect-renew-deadline=2m");

  private Path directory;
  private Path kubeconfig;
  private KeelsonProcess server;
  private Kubectl kubectl;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    this.directory = directory;
    Path tokens =
        Files.writeString(
            directory.resolve("tokens.csv"), "of-manager,system:kube-controller-manager,1\n");
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--secure-port=" + FreePort.find(),
                "--controllers=-*",
                "--simulated-nodes=3",
                "--authorization-mode=RBAC",
                "--token-auth-file=" + tokens));
    kubectl =
        new Kubectl(server.kubeconfigFile(), Files.createDirectory(directory.resolve("home")));
    Path token = Files.writeString(directory.resolve("token"), "of-manager\n");
    kubeconfig = Files.writeString(directory.resolve("manager"), config("tokenFile: " + token));
  }

  @AfterAll
  void stop() {
    server.close();
  }

  /** The administrator's kubeconfig with another user. */
  private String config(String user) throws IOException {
    return Files.readString(server.kubeconfigFile())
        .replaceAll("client-certificate-data: .*", user)
        .replaceAll(".*client-key-data: .*", "");
  }

  private static ComponentProcess controllers(String lease, List<String> flags) {
    return controllers(lease, 0, flags);
  }

  private static ComponentProcess controllers(String lease, int port, List<String> flags) {
    List<String> all = new ArrayList<>(flags);
    all.add("--leader-elect-resource-name=" + lease);
    all.add("--secure-port=" + port);
    return ComponentProcess.start("controllers", all);
  }

  private List<String> asAccounts(List<String> flags) {
    List<String> all = new ArrayList<>(flags);
    all.add("--kubeconfig=" + kubeconfig);
    all.add("--use-service-account-credentials");
    return all;
  }

  private String holder(String lease) {
    return kubectl
        .attempt(
            "",
            "get",
            "lease",
            lease,
            "--namespace=kube-system",
            "--output=jsonpath={.spec.holderIdentity}")
        .out();
  }

  private String awaitHolder(String lease, String other) {
    assertEventually(() -> assertThat(holder(lease)).isNotEmpty().isNotEqualTo(other));
    return holder(lease);
  }

  private void awaitReady(String name, int replicas) {
    assertThat(
            kubectl.run(
                "wait",
                "deployment/" + name,
                "--for=jsonpath={.status.readyReplicas}=" + replicas,
                "--timeout=120s"))
        .contains("condition met");
  }

  @Test
  void deployments_becomePods_alsoAfterTheServerWasKilled() {
    try (ComponentProcess alone = controllers("kube-controller-manager", asAccounts(PATIENT))) {
      String unused = kubectl.run("create", "deployment", "web", "--image=nginx", "--replicas=3");
      awaitReady("web", 3);

      server.kill();
      server.start();
      String unused2 = kubectl.run("scale", "deployment", "web", "--replicas=5");

      awaitReady("web", 5);
      assertThat(alone.isAlive()).as(alone.log()).isTrue();
      assertThat(kubectl.run("get", "serviceaccounts", "--namespace=kube-system", "--output=name"))
          .contains("serviceaccount/deployment-controller", "serviceaccount/replicaset-controller");
      assertThat(alone.stop()).as(alone.log()).isZero();
      assertThat(holder("kube-controller-manager")).isEmpty();
    }
  }

  private String eventually(String expected, String... command) {
    assertEventually(
        () -> assertThat(kubectl.attempt("", command).out().strip()).isEqualTo(expected));
    return expected;
  }

  @Test
  void controlPlane_isComplete_withoutAControllerInTheServer() {
    int port = FreePort.find();
    List<String> flags = asAccounts(PATIENT);
    flags.add("--authorization-always-allow-paths=/metrics");
    try (ComponentProcess alone = controllers("kube-controller-manager", port, flags)) {
      // the connection of kubectl may time out while many watches begin on a busy machine
      assertEventually(
          () ->
              assertThat(kubectl.attempt("", "create", "namespace", "whole").err())
                  .containsAnyOf("AlreadyExists", "already exists"));
      defaultsAppear(alone);
      quotaIsCounted();
      dependentsAreDeletedOrOrphaned();
      rangeOfServicesBecomesReady_andGoesWithItsLastAddress();

      String unused =
          kubectl.runWithInput(
              """
              apiVersion: v1
              kind: PersistentVolumeClaim
              metadata: {name: data, namespace: whole}
              spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
              """,
              "apply",
              "--filename=-");
      unused =
          kubectl.run("delete", "pvc", "data", "--namespace=whole", "--wait", "--timeout=120s");
      unused = kubectl.run("delete", "namespace", "whole", "--wait", "--timeout=240s");

      assertThat(alone.isAlive()).as(alone.log()).isTrue();
      queuesWereMeasured(port);
      assertThat(alone.stop()).as(alone.log()).isZero();
    }
  }

  /** Under Kubernetes' names of the queues. */
  private static void queuesWereMeasured(int port) {
    String metrics =
        new WhoAmI(URI.create("https://localhost:" + port), ServerTrust.insecure(null))
            .get("/metrics")
            .body();
    for (String queue :
        List.of(
            "claims",
            "deployment",
            "garbage_collector_attempt_to_delete",
            "namespace",
            "pvcprotection",
            "replicaset",
            "resourcequota_primary",
            "root_ca_cert_publisher",
            "serviceaccount",
            "ttlcontroller")) {
      String label = "{name=\"" + queue + "\"}";
      assertThat(metrics)
          .contains(
              "\nworkqueue_depth" + label,
              "\nworkqueue_unfinished_work_seconds" + label,
              "\nworkqueue_longest_running_processor_seconds" + label,
              "\nworkqueue_retries_total" + label,
              "\nworkqueue_work_duration_seconds_bucket{name=\"" + queue + "\",le=\"10\"}")
          .containsPattern("workqueue_adds_total\\" + label + " [1-9]")
          .containsPattern("workqueue_queue_duration_seconds_count\\" + label + " [1-9]");
    }
  }

  private void defaultsAppear(ComponentProcess alone) {
    String account = "serviceaccount/default";
    String map = "configmap/kube-root-ca.crt";
    assertEventually(
        () ->
            assertThat(
                    kubectl.attempt("", "get", account, "--namespace=whole", "--output=name").out())
                .as(alone::log)
                .contains(account));
    String unused = eventually(map, "get", map, "--namespace=whole", "--output=name");
    unused = kubectl.run("delete", map, "--namespace=whole");
    unused = eventually(map, "get", map, "--namespace=whole", "--output=name");
    assertThat(kubectl.run("get", map, "--namespace=whole", "--output=yaml"))
        .contains("-----BEGIN CERTIFICATE-----");
  }

  private void quotaIsCounted() {
    String[] used = {
      "get", "quota", "maps", "--namespace=whole", "--output=jsonpath={.status.used.configmaps}"
    };
    String unused =
        kubectl.run("create", "quota", "maps", "--hard=configmaps=5", "--namespace=whole");
    unused = eventually("1", used);
    unused = kubectl.run("create", "configmap", "one", "--namespace=whole");
    unused = eventually("2", used);
    unused = kubectl.run("delete", "configmap", "one", "--namespace=whole");
    unused = eventually("1", used);
  }

  private void rangeOfServicesBecomesReady_andGoesWithItsLastAddress() {
    String condition =
        "--output=jsonpath={.status.conditions[?(@.type=='Ready')].status}"
            + " {.status.conditions[?(@.type=='Ready')].reason}";
    String[] ready = {"get", "servicecidr", "more", condition, "--ignore-not-found"};
    String unused =
        kubectl.runWithInput(
            """
            apiVersion: networking.k8s.io/v1
            kind: ServiceCIDR
            metadata: {name: more}
            spec: {cidrs: [10.77.0.0/24]}
            """,
            "apply",
            "--filename=-");
    unused = eventually("True", ready);
    // the server may not know yet that it is ready
    assertEventually(
        () ->
            assertThat(
                    kubectl
                        .attempt(
                            "",
                            "create",
                            "service",
                            "clusterip",
                            "far",
                            "--clusterip=10.77.0.9",
                            "--tcp=80",
                            "--namespace=whole")
                        .exitCode())
                .isZero());

    unused = kubectl.run("delete", "servicecidr", "more", "--wait=false");
    unused = eventually("False Terminating", ready);
    unused = kubectl.run("delete", "service", "far", "--namespace=whole");
    unused = eventually("", ready);
  }

  private void dependentsAreDeletedOrOrphaned() {
    for (String policy : List.of("background", "foreground", "orphan")) {
      String[] pods = {"get", "pods", "--namespace=whole", "--selector=app=" + policy};
      String unused =
          kubectl.run(
              "create", "deployment", policy, "--image=nginx", "--replicas=2", "--namespace=whole");
      unused =
          kubectl.run(
              "wait",
              "deployment/" + policy,
              "--namespace=whole",
              "--for=jsonpath={.status.readyReplicas}=2",
              "--timeout=120s");
      unused =
          kubectl.run(
              "delete",
              "deployment",
              policy,
              "--namespace=whole",
              "--cascade=" + policy,
              "--wait",
              "--timeout=120s");
      if (policy.equals("orphan")) {
        String sets =
            "--output=jsonpath={.items[*].metadata.ownerReferences}{.items[*].status.readyReplicas}";
        unused =
            eventually("2", "get", "rs", "--namespace=whole", "--selector=app=" + policy, sets);
      } else {
        assertEventually(() -> assertThat(kubectl.attempt("", pods).out().strip()).isEmpty());
      }
    }
  }

  @Test
  void controllers_actAsTheUserOfTheKubeconfig_withItsCertificate() {
    List<String> flags = new ArrayList<>(PATIENT);
    flags.add("--kubeconfig=" + server.kubeconfigFile());
    flags.add("--controllers=*,-deployment");
    try (ComponentProcess alone = controllers("as-administrator", flags)) {
      String unused =
          kubectl.runWithInput(
              """
              apiVersion: apps/v1
              kind: ReplicaSet
              metadata: {name: plain}
              spec:
                replicas: 2
                selector: {matchLabels: {app: plain}}
                template:
                  metadata: {labels: {app: plain}}
                  spec: {containers: [{name: c, image: nginx}]}
              """,
              "apply",
              "--filename=-");

      assertThat(
              kubectl.run(
                  "wait",
                  "replicaset/plain",
                  "--for=jsonpath={.status.readyReplicas}=2",
                  "--timeout=120s"))
          .as(alone.log())
          .contains("condition met");
    }
  }

  @Test
  void otherProcess_takesOver_whenTheLeaderIsKilled_andALeaderThatIsDeposedEnds() {
    List<String> quick =
        asAccounts(
            List.of(
                "--controllers=deployment-controller",
                "--leader-elect-lease-duration=8s",
                "--leader-elect-renew-deadline=6s",
                "--leader-elect-retry-period=1s"));
    try (ComponentProcess first = controllers("contested", quick)) {
      String led = awaitHolder("contested", "");
      try (ComponentProcess second = controllers("contested", quick)) {
        first.kill();
        String leads = awaitHolder("contested", led);
        assertThat(second.log()).doesNotContain("leadership-lost");

        assertThat(leads).isNotEqualTo(led);
        String unused =
            kubectl.run(
                "patch",
                "lease",
                "contested",
                "--namespace=kube-system",
                "--type=merge",
                "--patch={\"spec\":{\"holderIdentity\":\"somebody\",\"leaseDurationSeconds\":3600}}");

        assertThat(second.awaitEnd()).as(second.log()).isOne();
        assertThat(second.log()).contains("leadership-lost");
        assertThat(holder("contested")).isEqualTo("somebody");
      }
    }
  }

  @Test
  void kubeconfig_thatNeedsWhatIsNotSupported_endsTheStart() throws IOException {
    Path plugin =
        Files.writeString(
            directory.resolve("plugin"), config("exec: {command: x, apiVersion: v1}"));
    Path proxied =
        Files.writeString(
            directory.resolve("proxied"),
            config("token: x").replaceAll("(\\s*)(server: .*)", "$1$2$1proxy-url: http://p:1"));

    assertThat(failure("--kubeconfig=" + plugin)).endsWith(": exec is not supported");
    assertThat(failure("--kubeconfig=" + proxied)).endsWith(": proxy-url is not supported");
    assertThat(failure("--kubeconfig=" + directory.resolve("none"))).contains("does not exist");
    assertThat(failure("--leader-elect=false")).contains("--kubeconfig is required");
    assertThat(failure("--etcd-servers=http://127.0.0.1:1")).contains("unknown flag");
  }

  private static String failure(String flag) {
    try (ComponentProcess failing = ComponentProcess.start("controllers", List.of(flag))) {
      assertThat(failing.awaitEnd()).isOne();
      assertEventually(() -> assertThat(failing.log()).contains("keelson"));
      return failing.log();
    }
  }
}
