package dev.keelson.server;

import static dev.keelson.server.WorkloadFixture.NODES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.controller.node.TtlController;
import dev.keelson.object.ApiObject;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The controller of the annotation {@code node.alpha.kubernetes.io/ttl} on a server. */
@Timeout(120)
class NodeTtlOnServerTest {

  private static final String KEY = "node.alpha.kubernetes.io/ttl";

  private WorkloadFixture fixture;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    fixture = new WorkloadFixture(directory);
    fixture.run(TtlController::new);
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  private void expect(String name, String seconds) {
    Eventually.assertEventually(
        () -> {
          try {
            assertThat(fixture.user.get(NODES, "", name).orElseThrow().meta().annotations())
                .containsEntry(KEY, seconds);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void nodes_haveTheAnnotationOfTheClustersSize() throws Exception {
    for (int i = 0; i < 100; i++) {
      ApiObject unused = fixture.create(NODES, "Node", "{'metadata':{'name':'n" + i + "'}}");
    }
    expect("n0", "0");
    expect("n99", "0");
    ApiObject changed =
        fixture
            .user
            .patch(
                NODES,
                "",
                "n7",
                "",
                Patch.MERGE,
                CustomTypes.tree("{'metadata':{'annotations':{'" + KEY + "':'x'}}}"))
            .object();
    assertThat(changed.meta().annotations()).containsEntry(KEY, "x");
    expect("n7", "0");

    ApiObject unused = fixture.create(NODES, "Node", "{'metadata':{'name':'n100'}}");

    expect("n100", "15");
    expect("n0", "15");
  }
}
