package sample;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.keelson.junit.KeelsonTest;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.netty.util.Version;
import io.vertx.core.impl.launcher.commands.VersionCommand;
import org.junit.jupiter.api.Test;

@KeelsonTest
class OtherVersionsTest {

  @Test
  void librariesAreThoseOfTheProject(KubernetesClient client) {
    client
        .resource(new ConfigMapBuilder().withNewMetadata().withName("a").endMetadata().build())
        .create();

    assertEquals(1, client.configMaps().withField("metadata.name", "a").list().getItems().size());
    assertEquals("2.17.3", com.fasterxml.jackson.databind.cfg.PackageVersion.VERSION.toString());
    assertEquals("4.1.115.Final", Version.identify().get("netty-common").artifactVersion());
    assertEquals("4.5.11", VersionCommand.getVersion());
  }
}
