package dev.keelson.controller.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.schema.FlowControlDefaults;
import dev.keelson.testing.LocalApi;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class FlowControlBootstrapTest {

  private static final String VERSION = "flowcontrol.apiserver.k8s.io/v1";
  private static final GroupVersionResource LEVELS =
      new GroupVersionResource("flowcontrol.apiserver.k8s.io", "v1", "prioritylevelconfigurations");

  private final LocalApi api;
  private final LocalResourceClient client;
  private final FlowControlBootstrap flow;

  FlowControlBootstrapTest(@TempDir Path directory) {
    api = LocalApi.openStrict(directory);
    client = new LocalResourceClient(api.catalog(), api.registry());
    flow = new FlowControlBootstrap(client);
  }

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void ensure_makesAllOfThemWithTheirSpecs() {
    flow.ensure();

    for (FlowControlDefaults.Default each : FlowControlDefaults.priorityLevels()) {
      assertThat(level(each.name()).root().map("spec")).isEqualTo(each.spec());
    }
    for (FlowControlDefaults.Default each : FlowControlDefaults.flowSchemas()) {
      ApiObject stored = api.get(VERSION, "flowschemas", "", each.name());
      assertThat(stored.root().map("spec")).isEqualTo(each.spec());
      assertThat(stored.meta().annotations())
          .containsEntry("apf.kubernetes.io/autoupdate-spec", "true");
    }
  }

  @Test
  void ensure_leavesWhatIsRight() {
    flow.ensure();
    ApiObject before = level("workload-low");

    flow.ensure();

    assertThat(level("workload-low")).isEqualTo(before);
  }

  @Test
  void ensure_bringsBackWhatIsGone() {
    flow.ensure();
    client.delete(
        LEVELS, "", "catch-all", new DeleteRequest("", "", DeleteRequest.Dependents.DEFAULT));

    flow.ensure();

    assertThat(level("catch-all").root().map("spec").text("type")).isEqualTo("Limited");
  }

  @Test
  void ensure_mendsASuggestedOneThatFollowsTheServer() {
    flow.ensure();
    share(7);

    flow.ensure();

    assertThat(shares()).isEqualTo(100);
  }

  @Test
  void ensure_leavesASuggestedOneThatSaysSo() {
    flow.ensure();
    annotate("false");
    share(7);

    flow.ensure();

    assertThat(shares()).isEqualTo(7);
  }

  @Test
  void ensure_asksTheGenerationWhereTheAnnotationIsNoAnswer() {
    flow.ensure();
    annotate("perhaps");
    share(7);

    flow.ensure();

    assertThat(shares()).isEqualTo(7);
    assertThat(level("workload-low").meta().annotations())
        .containsEntry("apf.kubernetes.io/autoupdate-spec", "false");
  }

  @Test
  void ensure_leavesWhatTheExemptLevelLends() {
    flow.ensure();
    var unused =
        client.change(
            LEVELS,
            "",
            "exempt",
            found ->
                found.with(
                    "spec",
                    found
                        .root()
                        .map("spec")
                        .with(
                            "exempt",
                            found
                                .root()
                                .map("spec")
                                .map("exempt")
                                .with("lendablePercent", new Node.Int(40)))));

    flow.ensure();

    assertThat(level("exempt").root().map("spec").map("exempt").get("lendablePercent"))
        .isEqualTo(new Node.Int(40));
  }

  @Test
  void ensure_deletesWhatAnotherReleaseMaintained_butNotWhatUsersMade() {
    flow.ensure();
    another("older", Map.of("apf.kubernetes.io/autoupdate-spec", "true"));
    another("kept", Map.of("apf.kubernetes.io/autoupdate-spec", "false"));
    another("unclear", Map.of("apf.kubernetes.io/autoupdate-spec", "perhaps"));
    another("own", Map.of());

    flow.ensure();

    assertThat(names(LEVELS))
        .contains("kept", "unclear", "own", "catch-all")
        .doesNotContain("older");
    assertThat(names(FlowControlBootstrap.SCHEMAS))
        .contains("kept", "unclear", "own", "catch-all")
        .doesNotContain("older");
  }

  /** A level and a schema with the spec of a default, and other annotations. */
  private void another(String name, Map<String, String> annotations) {
    MapNode noted = MapNode.EMPTY;
    for (Map.Entry<String, String> each : annotations.entrySet()) {
      noted = noted.with(each.getKey(), Node.text(each.getValue()));
    }
    MapNode meta = MapNode.of("name", Node.text(name)).with("annotations", noted);
    for (var resource :
        Map.of(LEVELS, "workload-low", FlowControlBootstrap.SCHEMAS, "service-accounts")
            .entrySet()) {
      MapNode spec =
          client.get(resource.getKey(), "", resource.getValue()).orElseThrow().root().map("spec");
      var unused =
          client.create(
              resource.getKey(),
              "",
              new ApiObject(MapNode.of("metadata", meta).with("spec", spec)));
    }
  }

  private List<String> names(GroupVersionResource resource) {
    return client.list(resource, "").stream().map(object -> object.meta().name()).toList();
  }

  private ApiObject level(String name) {
    return api.get(VERSION, "prioritylevelconfigurations", "", name);
  }

  private long shares() {
    MapNode limited = level("workload-low").root().map("spec").map("limited");
    return limited.get("nominalConcurrencyShares") instanceof Node.Int number ? number.value() : -1;
  }

  private void share(int shares) {
    var unused =
        client.change(
            LEVELS,
            "",
            "workload-low",
            found -> {
              MapNode spec = found.root().map("spec");
              return found.with(
                  "spec",
                  spec.with(
                      "limited",
                      spec.map("limited").with("nominalConcurrencyShares", new Node.Int(shares))));
            });
  }

  private void annotate(String value) {
    var unused =
        client.change(
            LEVELS,
            "",
            "workload-low",
            found ->
                found.withMeta(
                    found
                        .meta()
                        .with(
                            "annotations",
                            MapNode.of("apf.kubernetes.io/autoupdate-spec", Node.text(value)))));
  }
}
