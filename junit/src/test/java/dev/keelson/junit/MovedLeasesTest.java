package dev.keelson.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.junit.KeelsonTest.Isolation;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;

/** Leases that nobody renews while the time moves. */
@KeelsonTest(isolation = Isolation.SERVER, simulatedNodes = 1)
class MovedLeasesTest {

  private final KeelsonServer server;
  private final KubernetesClient client;

  MovedLeasesTest(KeelsonServer server, KubernetesClient client) {
    this.server = server;
    this.client = client;
  }

  /** A node whose kubelet has told that it is ready, and renews its Lease no more. */
  private void silentNode(String name) {
    // with its status at once, as a kubelet registers: the controllers write taints from then on
    client
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .withReason("KubeletReady")
                .withLastHeartbeatTime(server.now().toString())
                .withLastTransitionTime(server.now().toString())
                .endCondition()
                .endStatus()
                .build())
        .create();
    client.resource(lease(name)).create();
  }

  private Lease lease(String name) {
    ZonedDateTime now = server.now().atZone(ZoneOffset.UTC);
    return new LeaseBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace("kube-node-lease")
        .endMetadata()
        .withNewSpec()
        .withHolderIdentity(name)
        .withLeaseDurationSeconds(40)
        .withRenewTime(now)
        .endSpec()
        .build();
  }

  private String ready(String name) {
    return client.nodes().withName(name).get().getStatus().getConditions().stream()
        .filter(condition -> condition.getType().equals("Ready"))
        .map(NodeCondition::getStatus)
        .findAny()
        .orElse("");
  }

  @Test
  void silentNode_isUnknownAnHourLater_andOneThatRenewsStaysReady() throws Exception {
    silentNode("silent");
    String simulated =
        client.nodes().list().getItems().stream()
            .map(node -> node.getMetadata().getName())
            .filter(name -> !name.equals("silent"))
            .findAny()
            .orElseThrow();
    Eventually.until("the simulated node is ready", () -> ready(simulated).equals("True"));
    assertThat(ready("silent")).isEqualTo("True");

    server.advance(Duration.ofHours(1));

    Eventually.until("the silent node is unknown", () -> ready("silent").equals("Unknown"));
    Eventually.until(
        "it has the taint by which its pods are evicted",
        () ->
            client.nodes().withName("silent").get().getSpec().getTaints().stream()
                .anyMatch(
                    taint ->
                        taint.getKey().equals("node.kubernetes.io/unreachable")
                            && taint.getEffect().equals("NoExecute")));
    assertThat(ready(simulated)).isEqualTo("True");
  }
}
