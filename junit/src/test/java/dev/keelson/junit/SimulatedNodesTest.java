package dev.keelson.junit;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Test;

@KeelsonTest(simulatedNodes = 2)
class SimulatedNodesTest {

  @Test
  void deployment_becomesAvailable(KubernetesClient client, @KeelsonTest.Namespace String namespace)
      throws Exception {
    Deployment web =
        new DeploymentBuilder()
            .withNewMetadata()
            .withName("web")
            .withNamespace(namespace)
            .endMetadata()
            .withNewSpec()
            .withReplicas(2)
            .withNewSelector()
            .addToMatchLabels("app", "web")
            .endSelector()
            .withNewTemplate()
            .withNewMetadata()
            .addToLabels("app", "web")
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName("c")
            .withImage("i")
            .endContainer()
            .endSpec()
            .endTemplate()
            .endSpec()
            .build();
    client.resource(web).create();

    Eventually.until(
        "both pods are available",
        () -> {
          Integer available =
              client.apps().deployments().withName("web").get().getStatus().getAvailableReplicas();
          return available != null && available == 2;
        });
  }
}
