package dev.keelson.controller.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class FlowSchemaReferencesTest {

  private static final String VERSION = "flowcontrol.apiserver.k8s.io/v1";
  private static final GroupVersionResource LEVELS =
      new GroupVersionResource("flowcontrol.apiserver.k8s.io", "v1", "prioritylevelconfigurations");

  private final LocalApi api;
  private final LocalResourceClient client;
  private final FlowSchemaReferences references;

  FlowSchemaReferencesTest(@TempDir Path directory) {
    api = LocalApi.openStrict(directory);
    client = new LocalResourceClient(api.catalog(), api.registry());
    new FlowControlBootstrap(client).ensure();
    references =
        new FlowSchemaReferences(
            client, InstantSource.fixed(Instant.parse("2026-01-01T00:00:00Z")));
    references.ensure();
  }

  @AfterEach
  void close() {
    api.close();
  }

  private ApiObject schema(String name) {
    return api.get(VERSION, "flowschemas", "", name);
  }

  private static MapNode condition(String status, String reason, String message) {
    return MapNode.builder(5)
        .put("type", Node.text("Dangling"))
        .put("status", Node.text(status))
        .put("lastTransitionTime", Node.text("2026-01-01T00:00:00Z"))
        .put("reason", Node.text(reason))
        .put("message", Node.text(message))
        .build();
  }

  private static List<MapNode> conditions(ApiObject schema) {
    return schema.root().map("status").maps("conditions");
  }

  @Test
  void ensure_saysThatTheLevelExists() {
    assertThat(conditions(schema("probes")))
        .containsExactly(
            condition(
                "False",
                "Found",
                "This FlowSchema references the PriorityLevelConfiguration object named"
                    + " \"exempt\" and it exists"));
  }

  @Test
  void specsAndConditions_haveTheFieldManagersOfKubernetes() {
    assertThat(schema("probes").root().map("metadata").maps("managedFields"))
        .extracting(entry -> entry.text("manager") + " " + entry.text("subresource"))
        .containsExactlyInAnyOrder(
            "api-priority-and-fairness-config-producer-v1 ",
            "api-priority-and-fairness-config-consumer-v1 status");
  }

  @Test
  void ensure_leavesWhatIsRight() {
    ApiObject before = schema("probes");

    references.ensure();

    assertThat(schema("probes")).isEqualTo(before);
  }

  @Test
  void ensure_namesTheLevelThatIsReferencedNow() {
    var unused =
        client.change(
            FlowControlBootstrap.SCHEMAS,
            "",
            "service-accounts",
            found ->
                found.with(
                    "spec",
                    found
                        .root()
                        .map("spec")
                        .with(
                            "priorityLevelConfiguration",
                            MapNode.of("name", Node.text("workload-high")))));

    references.ensure();

    assertThat(conditions(schema("service-accounts")))
        .containsExactly(
            condition(
                "False",
                "Found",
                "This FlowSchema references the PriorityLevelConfiguration object named"
                    + " \"workload-high\" and it exists"));
  }

  @Test
  void ensure_saysThatTheLevelIsMissing() {
    client.delete(
        LEVELS, "", "workload-low", new DeleteRequest("", "", DeleteRequest.Dependents.DEFAULT));

    references.ensure();

    assertThat(conditions(schema("service-accounts")))
        .containsExactly(
            condition(
                "True",
                "NotFound",
                "This FlowSchema references the PriorityLevelConfiguration object named"
                    + " \"workload-low\" but there is no such object"));
  }
}
