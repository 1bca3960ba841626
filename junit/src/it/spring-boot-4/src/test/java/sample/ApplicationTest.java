package sample;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.junit.KeelsonServer;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@SpringBootTest
class ApplicationTest {

  @SpringBootApplication
  static class Application {

    @Bean(destroyMethod = "close")
    KubernetesClient client(
        @org.springframework.beans.factory.annotation.Value("${kubeconfig}") String kubeconfig) {
      Config config = Config.fromKubeconfig(new java.io.File(kubeconfig));
      // a machine that builds is busy
      config.setConnectionTimeout(60_000);
      config.setRequestTimeout(60_000);
      return new KubernetesClientBuilder().withConfig(config).build();
    }
  }

  @DynamicPropertySource
  static void kubeconfig(DynamicPropertyRegistry properties) {
    properties.add("kubeconfig", () -> KeelsonServer.builder().shared().kubeconfig().toString());
  }

  @Autowired KubernetesClient client;

  @Test
  void application_usesTheServer() {
    client
        .resource(
            new ConfigMapBuilder()
                .withNewMetadata()
                .withName("a")
                .withNamespace("default")
                .endMetadata()
                .build())
        .create();

    assertThat(client.configMaps().inNamespace("default").withName("a").get()).isNotNull();
    assertThat(SpringBootVersion.getVersion()).isEqualTo("4.0.0");
  }
}
