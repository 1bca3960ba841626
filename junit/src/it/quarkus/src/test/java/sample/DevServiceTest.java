package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import org.junit.jupiter.api.Test;

@QuarkusTest
class DevServiceTest {

  @Inject KubernetesClient client;

  @Test
  void injectedClient_isThatOfKeelson() {
    client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("a")
                .withNamespace("default")
                .endMetadata()
                .addToData("k", "v")
                .build())
        .create();

    assertEquals(
        "v", client.configMaps().inNamespace("default").withName("a").get().getData().get("k"));
    assertTrue(client.getKubernetesVersion().getGitVersion().contains("keelson"));
  }
}
