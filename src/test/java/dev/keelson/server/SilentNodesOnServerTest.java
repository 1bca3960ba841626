package dev.keelson.server;

import static dev.keelson.server.WorkloadFixture.EVENTS;
import static dev.keelson.server.WorkloadFixture.NODES;
import static dev.keelson.server.WorkloadFixture.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.DeleteRequest;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.node.NodeLifecycleController;
import dev.keelson.controller.node.SilenceSettings;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The controller of the lives of nodes on a server, with a clock that the test moves. */
@Timeout(120)
class SilentNodesOnServerTest {

  private static final SilenceSettings SETTINGS =
      new SilenceSettings(
          Duration.ofMillis(50),
          Duration.ofMinutes(50),
          Duration.ofHours(1),
          /* evictionRate= */ 1000,
          /* secondaryRate= */ 0.01,
          /* largeZone= */ 50,
          /* unhealthyShare= */ 0.55);

  private final AtomicLong aheadNanos = new AtomicLong();
  private WorkloadFixture fixture;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    fixture = new WorkloadFixture(directory);
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  private void monitor() throws InterruptedException {
    fixture.run(
        context -> new NodeLifecycleController(context, SETTINGS),
        () -> System.nanoTime() + aheadNanos.get());
  }

  private void pass(Duration time) {
    long unused = aheadNanos.addAndGet(time.toNanos());
  }

  private void node(String name, String conditions) throws InterruptedException {
    ApiObject unused = fixture.create(NODES, "Node", "{'metadata':{'name':'%s'}}".formatted(name));
    tell(name, conditions);
  }

  private void tell(String name, String conditions) throws InterruptedException {
    Written unused =
        fixture.user.patch(
            NODES,
            "",
            name,
            "status",
            Patch.MERGE,
            CustomTypes.tree("{'status':{'conditions':[" + conditions + "]}}"));
  }

  private static String ready(String status, int second) {
    return ("{'type':'Ready','status':'%s','lastHeartbeatTime':'2026-01-01T00:00:%02dZ',"
            + "'lastTransitionTime':'2026-01-01T00:00:00Z'}")
        .formatted(status, second);
  }

  private MapNode read(String name) {
    try {
      return fixture.user.get(NODES, "", name).orElseThrow().root();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private MapNode condition(String node, String type) {
    return read(node).map("status").maps("conditions").stream()
        .filter(condition -> condition.text("type").equals(type))
        .findFirst()
        .orElse(MapNode.EMPTY);
  }

  /** A look at all nodes that is later than all that was told before. */
  private void awaitLook(String marker) throws InterruptedException {
    node(marker, ready("False", 0));
    Eventually.assertEventually(
        () ->
            assertThat(read(marker).map("spec").maps("taints"))
                .anyMatch(taint -> taint.text("effect").equals("NoExecute")));
  }

  @Test
  void nodeThatFallsSilent_isUnknownWithItsPodsNotReady() throws Exception {
    for (String name : new String[] {"silent", "lively", "other"}) {
      node(name, ready("True", 0));
    }
    ApiObject unused =
        fixture.create(
            PODS,
            "Pod",
            "{'metadata':{'name':'p','namespace':'default'},'spec':{'nodeName':'silent',"
                + "'containers':[{'name':'main','image':'nginx'}]}}");
    fixture.makeReady("p");
    monitor();
    awaitLook("first");
    pass(Duration.ofMinutes(45));
    tell("lively", ready("True", 45));
    awaitLook("second");
    assertThat(condition("silent", "Ready").text("status")).isEqualTo("True");

    pass(Duration.ofMinutes(20));

    Eventually.assertEventually(
        () -> {
          for (String type :
              new String[] {"Ready", "MemoryPressure", "DiskPressure", "PIDPressure"}) {
            MapNode condition = condition("silent", type);
            assertThat(condition.text("status")).isEqualTo("Unknown");
            boolean told = type.equals("Ready");
            assertThat(condition.text("lastHeartbeatTime"))
                .isEqualTo(
                    told
                        ? "2026-01-01T00:00:00Z"
                        : read("silent").map("metadata").text("creationTimestamp"));
            assertThat(condition.text("reason"))
                .isEqualTo(told ? "NodeStatusUnknown" : "NodeStatusNeverUpdated");
            assertThat(condition.text("message"))
                .isEqualTo(
                    told
                        ? "Kubelet stopped posting node status."
                        : "Kubelet never posted node status.");
          }
          assertThat(read("silent").map("spec").maps("taints"))
              .anyMatch(
                  taint ->
                      taint.text("key").equals("node.kubernetes.io/unreachable")
                          && taint.text("effect").equals("NoSchedule"));
          assertThat(fixture.status(PODS, "p").maps("conditions"))
              .anyMatch(
                  condition ->
                      condition.text("type").equals("Ready")
                          && condition.text("status").equals("False")
                          && new Node.Int(1).equals(condition.get("observedGeneration")));
          assertThat(fixture.list(EVENTS, "", "reason=NodeNotReady"))
              .anyMatch(event -> event.root().text("message").equals("Node is not ready"));
        });
    assertThat(condition("lively", "Ready").text("status")).isEqualTo("True");
  }

  @Test
  void nodesThatComeAndGo_areTold() throws Exception {
    node("old", ready("True", 0));
    monitor();
    awaitEvent("RegisteredNode", "Node old event: Registered Node old in Controller");
    node("next", ready("True", 0));
    awaitEvent("RegisteredNode", "Node next event: Registered Node next in Controller");

    fixture.user.delete(
        NODES, "", "old", new DeleteRequest("", "", DeleteRequest.Dependents.DEFAULT));

    awaitEvent("RemovingNode", "Node old event: Removing Node old from Controller");
  }

  private void awaitEvent(String reason, String message) {
    Eventually.assertEventually(
        () ->
            assertThat(fixture.list(EVENTS, "", "reason=" + reason))
                .extracting(event -> event.root().text("message"))
                .containsOnlyOnce(message));
  }

  @Test
  void oldLabels_followThoseOfToday() throws Exception {
    monitor();
    ApiObject unused =
        fixture.create(
            NODES,
            "Node",
            "{'metadata':{'name':'n','labels':{'kubernetes.io/os':'linux',"
                + "'kubernetes.io/arch':'arm64','beta.kubernetes.io/arch':'amd64'}}}");

    Eventually.assertEventually(
        () ->
            assertThat(read("n").map("metadata").map("labels").texts())
                .containsEntry("beta.kubernetes.io/os", "linux")
                .containsEntry("beta.kubernetes.io/arch", "arm64"));
  }

  @Test
  void nodeThatNeverTold_isUnknownAfterTheGraceOfItsStart() throws Exception {
    ApiObject unused = fixture.create(NODES, "Node", "{'metadata':{'name':'new'}}");
    // too many that are not ready would stop the evictions that awaitLook waits for
    List<String> ready = List.of("a", "b", "c", "d");
    for (String name : ready) {
      node(name, ready("True", 0));
    }
    monitor();
    awaitLook("first");
    pass(Duration.ofMinutes(45));
    for (String name : ready) {
      tell(name, ready("True", 45));
    }
    awaitLook("second");
    pass(Duration.ofMinutes(10));
    awaitLook("third");
    assertThat(condition("new", "Ready")).isEqualTo(MapNode.EMPTY);

    pass(Duration.ofMinutes(10));

    Eventually.assertEventually(
        () ->
            assertThat(condition("new", "Ready").text("message"))
                .isEqualTo("Kubelet never posted node status."));
  }
}
