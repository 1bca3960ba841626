package dev.keelson.blackbox;

import static dev.keelson.testing.Eventually.assertEventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.ComponentProcess;
import dev.keelson.testing.FreePort;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestAuthority.Period;
import dev.keelson.testing.TestIdentity;
import dev.keelson.testing.WhoAmI;
import dev.keelson.webhook.ServerTrust;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** {@code keelson scheduler} beside a server without one, and the port that it serves. */
@TestInstance(Lifecycle.PER_CLASS)
class StandaloneSchedulerIT {

  private static final String BEARER = "Authorization";

  private final TestAuthority serving = TestAuthority.root("serving", Period.now());
  private KeelsonProcess server;
  private Kubectl kubectl;
  private ComponentProcess scheduler;
  private URI address;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    Path tokens =
        Files.writeString(
            directory.resolve("tokens.csv"),
            """
            of-scheduler,system:kube-scheduler,1
            of-ann,ann,2
            of-root,root,3,"system:masters"
            """);
    server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--scheduler=false",
                "--simulated-nodes=2",
                "--authorization-mode=RBAC",
                "--token-auth-file=" + tokens));
    kubectl =
        new Kubectl(server.kubeconfigFile(), Files.createDirectory(directory.resolve("home")));
    Path kubeconfig =
        Files.writeString(
            directory.resolve("scheduler"),
            Files.readString(server.kubeconfigFile())
                .replaceAll("client-certificate-data: .*", "token: of-scheduler")
                .replaceAll(".*client-key-data: .*", ""));
    TestIdentity identity = serving.serverNamed("localhost");
    int port = FreePort.find();
    address = URI.create("https://localhost:" + port);
    scheduler =
        ComponentProcess.start(
            "scheduler",
            List.of(
                "--kubeconfig=" + kubeconfig,
                "--authentication-kubeconfig=" + kubeconfig,
                "--authorization-kubeconfig=" + kubeconfig,
                "--secure-port=" + port,
                "--bind-address=127.0.0.1",
                "--tls-cert-file="
                    + Files.writeString(directory.resolve("tls.crt"), identity.certificatePem()),
                "--tls-private-key-file="
                    + Files.writeString(directory.resolve("tls.key"), identity.keyPem()),
                "--leader-elect-lease-duration=3m",
                "--leader-elect-renew-deadline=2m",
                "--kube-api-qps=200"));
    assertEventually(
        () -> {
          assertThat(scheduler.isAlive()).as(scheduler.log()).isTrue();
          assertThat(scheduler.log()).contains("Keelson scheduler started");
        });
  }

  @AfterAll
  void stop() {
    scheduler.close();
    server.close();
  }

  private WhoAmI anybody() {
    return new WhoAmI(address, TestIdentity.nobody(serving.certificate()));
  }

  @Test
  void pods_areScheduled() {
    String unused = kubectl.run("create", "deployment", "web", "--image=nginx", "--replicas=3");

    assertThat(kubectl.run("rollout", "status", "deployment/web", "--timeout=120s"))
        .contains("successfully rolled out");
    assertThat(
            kubectl.run(
                "get",
                "lease",
                "kube-scheduler",
                "--namespace=kube-system",
                "--output=jsonpath={.spec.holderIdentity}"))
        .contains("_");
    assertThat(kubectl.run("describe", "pod", "--selector=app=web"))
        .contains("Successfully assigned default/web-");
  }

  @Test
  void probes_areForEverybody() {
    assertThat(anybody().get("/healthz").status()).isEqualTo(200);
    assertThat(anybody().get("/healthz").body()).isEqualTo("ok");
    assertThat(anybody().get("/livez").status()).isEqualTo(200);
    assertThat(anybody().get("/readyz").status()).isEqualTo(200);
  }

  @Test
  void otherPages_areForThoseWhomTheServerKnowsAndAllows() {
    assertEventually(
        () ->
            assertThat(anybody().get("/metrics", BEARER, "Bearer of-root").body())
                .contains("leader_election_master_status{name=\"kube-scheduler\"} 1"));
    assertThat(anybody().get("/metrics", BEARER, "Bearer of-root").body())
        .contains("rest_client_requests_total{code=\"200\"", "process_cpu_seconds_total")
        .contains("\nkubernetes_build_info{build_date=");
    assertThat(anybody().get("/configz", BEARER, "Bearer of-root").body())
        .startsWith("{\"componentconfig\":{\"LeaderElection\":{\"LeaderElect\":true")
        .contains("\"LeaseDuration\":\"3m0s\"", "\"QPS\":200,\"Burst\":100");
    assertThat(anybody().get("/none", BEARER, "Bearer of-root").status()).isEqualTo(404);

    assertThat(anybody().get("/metrics").status()).isEqualTo(403);
    assertThat(anybody().get("/metrics").body())
        .contains("User \\\"system:anonymous\\\" cannot get path \\\"/metrics\\\"");
    assertThat(anybody().get("/metrics", BEARER, "Bearer of-ann").status()).isEqualTo(403);
    assertThat(anybody().get("/metrics", BEARER, "Bearer of-nobody").status()).isEqualTo(401);
    assertThat(anybody().get("/metrics", BEARER, "Bearer of-nobody").body())
        .contains("\"reason\":\"Unauthorized\"");
  }

  @Test
  void metrics_countAttempts() {
    String unused = kubectl.run("create", "deployment", "counted", "--image=nginx");
    String unused2 = kubectl.run("rollout", "status", "deployment/counted", "--timeout=120s");
    String unused3 =
        kubectl.run(
            "run",
            "too-large",
            "--image=nginx",
            "--overrides={\"spec\":{\"nodeSelector\":{\"none\":\"none\"}}}");

    assertEventually(
        () ->
            assertThat(anybody().get("/metrics", BEARER, "Bearer of-root").body())
                .contains(
                    "scheduler_schedule_attempts_total{profile=\"default-scheduler\",result=\"scheduled\"}",
                    "scheduler_schedule_attempts_total{profile=\"default-scheduler\",result=\"unschedulable\"}",
                    "scheduler_scheduling_attempt_duration_seconds_bucket{profile=\"default-scheduler\",result=\"scheduled\",le=\"0.001\"}",
                    "scheduler_scheduling_algorithm_duration_seconds_count",
                    "scheduler_pod_scheduling_attempts_bucket{le=\"1\"}",
                    "scheduler_pod_scheduling_sli_duration_seconds_count{attempts=\"1\"}",
                    "scheduler_preemption_attempts_total",
                    "scheduler_pending_pods{queue=\"unschedulable\"} 1",
                    "scheduler_pending_pods{queue=\"gated\"} 0"));
  }

  @Test
  void rolesOfTheServerCount() {
    String unused =
        kubectl.run(
            "create", "clusterrole", "metrics-reader", "--verb=get", "--non-resource-url=/metrics");
    String unused2 =
        kubectl.run(
            "create",
            "clusterrolebinding",
            "bea-reads-metrics",
            "--clusterrole=metrics-reader",
            "--serviceaccount=default:bea");
    String unused3 = kubectl.run("create", "serviceaccount", "bea");
    String token = kubectl.run("create", "token", "bea", "--duration=15m").strip();

    assertThat(anybody().get("/metrics", BEARER, "Bearer " + token).status()).isEqualTo(200);
    assertThat(anybody().get("/configz", BEARER, "Bearer " + token).status()).isEqualTo(403);
  }

  @Test
  void clientCertificates_countAsAtTheServer() {
    TestIdentity administrator =
        new TestIdentity(server.kubeconfig().key(), List.of(server.kubeconfig().certificate()));

    assertThat(
            new WhoAmI(address, administrator.trusting(serving.certificate()))
                .get("/configz")
                .status())
        .isEqualTo(200);
    assertThat(
            new WhoAmI(
                    address,
                    TestAuthority.root("others", Period.now())
                        .identity("CN=x,O=system:masters")
                        .trusting(serving.certificate()))
                .get("/configz")
                .status())
        .isEqualTo(401);
  }

  @Test
  void certificateIsMade_whenNoneIsGiven() {
    int port = FreePort.find();
    try (ComponentProcess other =
        ComponentProcess.start(
            "scheduler",
            List.of(
                "--kubeconfig=" + server.kubeconfigFile(),
                "--leader-elect-resource-name=other",
                "--secure-port=" + port))) {
      assertEventually(() -> assertThat(other.log()).contains("Keelson scheduler started"));

      WhoAmI client =
          new WhoAmI(URI.create("https://localhost:" + port), ServerTrust.insecure(null));
      assertThat(client.get("/healthz").status()).isEqualTo(200);
      assertThat(client.get("/metrics", BEARER, "Bearer of-root").status()).isEqualTo(401);
      assertThat(client.get("/metrics").status()).isEqualTo(403);
    }
  }
}
