package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.keelson.testing.ComponentProcess;
import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code --kube-api-qps} and {@code --kube-api-burst}, as the server sees them. */
@Timeout(180)
class ControllerRateIT {

  private static final int RATE = 10;
  private static final int BURST = 10;
  private static final int PODS = 100;

  /** A request that was sent in time may be received so much later. */
  private static final Duration DELAY = Duration.ofSeconds(2);

  private static final String POLICY =
      """
      apiVersion: audit.k8s.io/v1
      kind: Policy
      omitStages: [ResponseStarted, ResponseComplete]
      rules:
      - level: Metadata
        users: ["system:serviceaccount:kube-system:replicaset-controller"]
        verbs: [create]
        resources: [{resources: [pods]}]
      - level: None
      """;

  @Test
  void requestsOfAController_areLimited(@TempDir Path directory) throws IOException {
    Path log = directory.resolve("audit.log");
    Path policy = Files.writeString(directory.resolve("policy.yaml"), POLICY);
    try (KeelsonProcess server =
            KeelsonProcess.start(
                directory.resolve("data"),
                List.of(
                    KeelsonProcess.FEW_CONTROLLERS,
                    "--authorization-mode=RBAC",
                    "--audit-policy-file=" + policy,
                    "--audit-log-mode=blocking",
                    "--audit-log-path=" + log));
        ComponentProcess alone =
            ComponentProcess.start(
                "controllers",
                List.of(
                    "--kubeconfig=" + server.kubeconfigFile(),
                    "--use-service-account-credentials",
                    "--secure-port=0",
                    "--kube-api-qps=" + RATE,
                    "--kube-api-burst=" + BURST))) {
      Kubectl kubectl = new Kubectl(server.kubeconfigFile(), directory);
      assertThat(kubectl.run("create", "deployment", "web", "--image=nginx", "--replicas=" + PODS))
          .contains("created");
      assertThat(
              kubectl.run(
                  "wait",
                  "deployment/web",
                  "--for=jsonpath={.status.replicas}=" + PODS,
                  "--timeout=120s"))
          .as(alone.log())
          .contains("condition met");
    }

    List<Instant> received = new ArrayList<>();
    for (String line : Files.readAllLines(log)) {
      JsonObject event = JsonParser.parseString(line).getAsJsonObject();
      received.add(Instant.parse(event.get("requestReceivedTimestamp").getAsString()));
    }
    received.sort(null);
    assertThat(received).hasSizeGreaterThanOrEqualTo(PODS);
    for (int first = 0; first < received.size(); first++) {
      for (int last = first; last < received.size(); last++) {
        Duration time = Duration.between(received.get(first), received.get(last)).plus(DELAY);
        assertThat(last - first + 1)
            .as("requests in %s", time)
            .isLessThanOrEqualTo(BURST + (int) Math.ceil(RATE * time.toMillis() / 1000.0));
      }
    }
  }
}
