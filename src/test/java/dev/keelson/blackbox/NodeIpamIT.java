package dev.keelson.blackbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.testing.KeelsonProcess;
import dev.keelson.testing.Kubectl;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes get blocks of the cluster's ranges from the controllers in the server. */
@Timeout(180)
class NodeIpamIT {

  @Test
  void nodes_getBlocks(@TempDir Path directory) {
    try (KeelsonProcess server =
        KeelsonProcess.start(
            directory.resolve("data"),
            List.of(
                "--authorization-mode=RBAC",
                "--allocate-node-cidrs",
                "--cluster-cidr=10.0.0.0/16,fd00:10::/56",
                "--service-cluster-ip-range=10.0.0.0/24"))) {
      Kubectl kubectl = new Kubectl(server.kubeconfigFile(), directory);
      for (String name : List.of("one", "two")) {
        assertThat(
                kubectl.runWithInput(
                    "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\""
                        + name
                        + "\"}}",
                    "create",
                    "-f",
                    "-"))
            .contains("created");
        assertThat(kubectl.run("wait", "node/" + name, "--for=jsonpath={.spec.podCIDR}"))
            .contains("condition met");
      }

      assertThat(kubectl.run("get", "nodes", "-o=jsonpath={.items[*].spec.podCIDRs}"))
          .isEqualTo("[\"10.0.1.0/24\",\"fd00:10::/64\"] [\"10.0.2.0/24\",\"fd00:10:0:1::/64\"]");
    }
  }
}
