package dev.keelson.http.verb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ExportStrategyTest {

  private final LocalApi api;

  ExportStrategyTest(@TempDir Path directory) {
    api = LocalApi.open(directory);
  }

  @AfterEach
  void close() {
    api.close();
  }

  private ApiObject service() {
    return api.object(
        "v1",
        "services",
        "{'metadata':{'name':'s-x','generateName':'s-','namespace':'default','uid':'u',"
            + "'resourceVersion':'7','generation':2,'labels':{'a':'b'}},"
            + "'spec':{'clusterIP':'10.0.0.1','ports':[{'port':80,'nodePort':30000}]},"
            + "'status':{'loadBalancer':{}}}");
  }

  @Test
  void export_takesWhatTheServerAndTheClusterSay() {
    ApiObject left = ExportStrategy.of(service(), api.definition("v1", "services"), false);

    assertThat(left.meta().node().keys()).containsExactlyInAnyOrder("generateName", "labels");
    assertThat(LocalApi.json(left.root().map("spec")))
        .startsWith("{'ports':[{'port':80,")
        .doesNotContain("nodePort", "clusterIP");
    assertThat(left.root().has("status")).isFalse();
  }

  @Test
  void exact_keepsWhatTiesItToTheCluster() {
    ApiObject left = ExportStrategy.of(service(), api.definition("v1", "services"), true);

    assertThat(left.meta().node().keys())
        .containsExactlyInAnyOrder("name", "generateName", "namespace", "labels");
    assertThat(left.root().map("spec")).isEqualTo(service().root().map("spec"));
    assertThat(left.root().has("status")).isFalse();
  }
}
