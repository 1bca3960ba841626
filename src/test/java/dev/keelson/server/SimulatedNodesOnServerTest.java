package dev.keelson.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.deployment.DeploymentController;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Controllers, the scheduler and simulated nodes together, as users of a server with RBAC. */
final class SimulatedNodesOnServerTest {

  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  private static final GroupVersionResource NODES = GroupVersion.CORE_V1.resource("nodes");
  private static final GroupVersionResource EVENTS =
      new GroupVersion("events.k8s.io", "v1").resource("events");
  private static final GroupVersionResource DEPLOYMENTS = DeploymentController.RESOURCE;

  @TempDir private Path directory;
  private final Vertx vertx = Vertx.vertx();
  private @Nullable ComposedServer running;
  private @Nullable ApiClient master;

  private void start(String... flags) {
    List<String> all =
        new ArrayList<>(
            List.of("--data-dir=" + directory, "--secure-port=0", "--authorization-mode=RBAC"));
    all.addAll(List.of(flags));
    ComposedServer server =
        ComposedServer.of(
            OpenedResources.open(CustomTypesContract.options(all), InstantSource.system()), vertx);
    assertThat(server.server().ready(6443, Duration.ZERO)).contains("ready");
    server.server().act();
    UserInfo administrator = new UserInfo("master", "", List.of("system:masters"), Map.of());
    running = server;
    master = new ApiClient(server.api().loopback().as(administrator, "test"));
  }

  @AfterEach
  void stop() throws Exception {
    assertThat(requireNonNull(running).server().stop()).isZero();
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  private ApiClient user() {
    return requireNonNull(master);
  }

  private void create(GroupVersionResource type, String kind, String text)
      throws InterruptedException {
    ApiObject unused =
        user()
            .create(type, new ApiObject(CustomTypes.tree(text)).withType(type.apiVersion(), kind))
            .object();
  }

  private void pod(String name, String spec) throws InterruptedException {
    create(
        PODS,
        "Pod",
        "{'metadata':{'name':'%s','namespace':'default','labels':{'app':'%s'}},'spec':{%s}}"
            .formatted(name, name, spec));
  }

  private List<ApiObject> list(GroupVersionResource type) {
    try {
      return user().list(Selection.of(type));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private MapNode get(GroupVersionResource type, String namespace, String name) {
    try {
      return user().get(type, namespace, name).orElseThrow().root();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private MapNode pod(String name) {
    return get(PODS, "default", name);
  }

  private static String condition(MapNode object, String type) {
    return object.map("status").maps("conditions").stream()
        .filter(condition -> condition.text("type").equals(type))
        .map(condition -> condition.text("status"))
        .findFirst()
        .orElse("");
  }

  @Test
  void deployment_becomesReadyOnAllNodes_andGoes() throws Exception {
    start("--simulated-nodes=3");
    Eventually.assertEventually(
        () ->
            assertThat(list(NODES))
                .hasSize(3)
                .allMatch(node -> condition(node.root(), "Ready").equals("True"))
                .allMatch(node -> node.root().map("spec").maps("taints").isEmpty()));
    create(
        DEPLOYMENTS,
        "Deployment",
        "{'metadata':{'name':'web','namespace':'default'},'spec':{'replicas':6,'selector':{"
            + "'matchLabels':{'app':'web'}},'template':{'metadata':{'labels':{'app':'web'}},"
            + "'spec':{'containers':[{'name':'main','image':'nginx'}]}}}}");

    Eventually.assertEventually(
        () ->
            assertThat(get(DEPLOYMENTS, "default", "web").map("status").get("readyReplicas"))
                .isEqualTo(new Node.Int(6)));
    Set<String> used =
        list(PODS).stream()
            .map(pod -> pod.root().map("spec").text("nodeName"))
            .collect(Collectors.toSet());
    assertThat(used).hasSize(3);
    assertThat(list(PODS).stream().map(pod -> pod.root().map("status").text("podIP")))
        .doesNotHaveDuplicates()
        .allMatch(address -> address.startsWith("10."));

    user()
        .delete(
            DEPLOYMENTS,
            "default",
            "web",
            new DeleteRequest("", "", DeleteRequest.Dependents.BACKGROUND));

    Eventually.assertEventually(() -> assertThat(list(PODS)).isEmpty());
  }

  @Test
  void podThatIsNotRestarted_succeeds() throws Exception {
    start("--simulated-nodes=1");
    pod("once", "'restartPolicy':'Never','containers':[{'name':'main','image':'busybox'}]");

    Eventually.assertEventually(
        () -> assertThat(pod("once").map("status").text("phase")).isEqualTo("Succeeded"));
    MapNode state = pod("once").map("status").maps("containerStatuses").getFirst().map("state");
    assertThat(state.map("terminated").text("reason")).isEqualTo("Completed");
    assertThat(condition(pod("once"), "Ready")).isEqualTo("False");
  }

  @Test
  void stages_makeContainersFailAndStartAgain() throws Exception {
    Path stages = directory.resolve("stages.yaml");
    Files.writeString(
        stages,
        """
        node:
          capacity: {cpu: "2", example.com/gpu: 1}
        pods:
        - selector: {matchLabels: {app: flaky}}
          end: {after: 0s, failureProbability: 1, exitCode: 7, message: out of luck}
        """);
    start("--simulated-nodes=1", "--simulated-nodes-stages=" + stages);
    pod("flaky", "'containers':[{'name':'main','image':'busybox'}]");

    Eventually.assertEventually(
        () -> {
          MapNode container = containerOf("flaky");
          assertThat(container.get("restartCount")).isEqualTo(new Node.Int(1));
          assertThat(container.map("state").map("waiting").text("reason"))
              .isEqualTo("CrashLoopBackOff");
          MapNode last = container.map("lastState").map("terminated");
          assertThat(last.get("exitCode")).isEqualTo(new Node.Int(7));
          assertThat(last.text("message")).isEqualTo("out of luck");
        });
    assertThat(
            get(NODES, "", "simulated-0").map("status").map("allocatable").text("example.com/gpu"))
        .isEqualTo("1");
  }

  private MapNode containerOf(String pod) {
    List<MapNode> statuses = pod(pod).map("status").maps("containerStatuses");
    return statuses.isEmpty() ? MapNode.EMPTY : statuses.getFirst();
  }

  @Test
  void podThatFitsNowhere_isToldWhy_andPlacedWhenThereIsRoom() throws Exception {
    start("--simulated-nodes=2");
    pod("large", "'containers':[{'name':'main','image':'x','resources':{'requests':{'cpu':'9'}}}]");

    Eventually.assertEventually(
        () -> {
          MapNode told =
              pod("large").map("status").maps("conditions").stream()
                  .filter(condition -> condition.text("type").equals("PodScheduled"))
                  .findFirst()
                  .orElse(MapNode.EMPTY);
          assertThat(told.text("reason")).isEqualTo("Unschedulable");
          assertThat(told.get("observedGeneration")).isEqualTo(new Node.Int(1));
          assertThat(told.text("message"))
              .isEqualTo(
                  "0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate,"
                      + " preemption: 0/2 nodes are available: 2 Preemption is not helpful for"
                      + " scheduling.");
        });
    Written unused =
        user()
            .patch(
                NODES,
                "",
                "simulated-1",
                "status",
                Patch.MERGE,
                CustomTypes.tree("{'status':{'allocatable':{'cpu':'16'}}}"));

    Eventually.assertEventually(
        () -> assertThat(pod("large").map("spec").text("nodeName")).isEqualTo("simulated-1"));
  }

  @Test
  void importantPod_takesTheRoomOfOthers() throws Exception {
    start("--simulated-nodes=1");
    create(
        new GroupVersion("scheduling.k8s.io", "v1").resource("priorityclasses"),
        "PriorityClass",
        "{'metadata':{'name':'high'},'value':1000}");
    pod("low", "'containers':[{'name':'main','image':'x','resources':{'requests':{'cpu':'6'}}}]");
    Eventually.assertEventually(
        () -> assertThat(pod("low").map("spec").text("nodeName")).isEqualTo("simulated-0"));

    pod(
        "high",
        "'priorityClassName':'high','containers':[{'name':'main','image':'x','resources':{"
            + "'requests':{'cpu':'6'}}}]");

    Eventually.assertEventually(
        () -> assertThat(pod("high").map("spec").text("nodeName")).isEqualTo("simulated-0"));
    assertThat(list(PODS)).hasSize(1);
    Eventually.assertEventually(
        () ->
            assertThat(list(EVENTS))
                .extracting(SimulatedNodesOnServerTest::scheduling)
                .contains(
                    "Normal Scheduled Binding low",
                    "Warning FailedScheduling Scheduling high",
                    "Normal Preempted Preempting low",
                    "Normal Scheduled Binding high"));
  }

  /** What an Event of the scheduler tells; all others are empty. */
  private static String scheduling(ApiObject event) {
    MapNode root = event.root();
    boolean own =
        root.text("reportingController").equals("default-scheduler")
            && root.text("reportingInstance").startsWith("default-scheduler-")
            && !root.text("eventTime").isEmpty()
            && !root.map("regarding").text("resourceVersion").isEmpty();
    return own
        ? String.join(
            " ",
            root.text("type"),
            root.text("reason"),
            root.text("action"),
            root.map("regarding").text("name"))
        : "";
  }

  /** The pod that comes in place of one that had to go is less important, and has to wait. */
  @Test
  void roomThatIsMade_isNotTakenByThePodThatReplacesAnother() throws Exception {
    start("--simulated-nodes=1");
    create(
        new GroupVersion("scheduling.k8s.io", "v1").resource("priorityclasses"),
        "PriorityClass",
        "{'metadata':{'name':'high'},'value':1000}");
    String container = "{'name':'main','image':'x','resources':{'requests':{'cpu':'6'}}}";
    create(
        DEPLOYMENTS,
        "Deployment",
        ("{'metadata':{'name':'low','namespace':'default'},'spec':{'selector':{'matchLabels':{'app':'low'}},"
                + "'template':{'metadata':{'labels':{'app':'low'}},'spec':{'containers':[%s]}}}}")
            .formatted(container));
    Eventually.assertEventually(
        () ->
            assertThat(list(PODS))
                .singleElement()
                .matches(pod -> !pod.root().map("spec").text("nodeName").isEmpty()));

    pod("high", "'priorityClassName':'high','containers':[" + container + "]");

    Eventually.assertEventually(
        () ->
            assertThat(list(PODS))
                .extracting(
                    pod ->
                        pod.meta().labels().get("app")
                            + " "
                            + pod.root().map("spec").text("nodeName"))
                .containsExactlyInAnyOrder("high simulated-0", "low "));
    assertThat(list(EVENTS))
        .filteredOn(event -> event.root().text("reason").equals("Preempted"))
        .hasSizeLessThan(2);
  }

  @Test
  void cordonedNode_isTaintedAndGetsNoPods() throws Exception {
    start("--simulated-nodes=2");
    Eventually.assertEventually(() -> assertThat(list(NODES)).hasSize(2));
    Written unused =
        user()
            .patch(
                NODES,
                "",
                "simulated-0",
                "",
                Patch.MERGE,
                CustomTypes.tree("{'spec':{'unschedulable':true}}"));
    Eventually.assertEventually(
        () ->
            assertThat(get(NODES, "", "simulated-0").map("spec").maps("taints"))
                .anyMatch(taint -> taint.text("key").equals("node.kubernetes.io/unschedulable")));

    for (int i = 0; i < 3; i++) {
      pod("p" + i, "'containers':[{'name':'main','image':'x'}]");
    }

    Eventually.assertEventually(
        () ->
            assertThat(list(PODS))
                .hasSize(3)
                .allMatch(pod -> pod.root().map("spec").text("nodeName").equals("simulated-1")));
  }

  @Test
  void taintThatEvicts_deletesPodsThatDoNotTolerateIt() throws Exception {
    start("--simulated-nodes=1");
    pod("weak", "'containers':[{'name':'main','image':'x'}]");
    pod(
        "strong",
        // of several tolerations of a taint the first counts
        "'tolerations':[{'key':'broken','operator':'Exists'},{'key':'broken','operator':'Exists',"
            + "'effect':'NoExecute','tolerationSeconds':0}],'containers':[{'name':'main',"
            + "'image':'x'}]");
    pod(
        "patient",
        "'tolerations':[{'key':'broken','operator':'Exists','effect':'NoExecute','tolerationSeconds':1}],"
            + "'containers':[{'name':'main','image':'x'}]");
    Eventually.assertEventually(
        () ->
            assertThat(list(PODS))
                .hasSize(3)
                .allMatch(pod -> condition(pod.root(), "Ready").equals("True")));

    Written unused =
        user()
            .patch(
                NODES,
                "",
                "simulated-0",
                "",
                Patch.MERGE,
                CustomTypes.tree("{'spec':{'taints':[{'key':'broken','effect':'NoExecute'}]}}"));

    Eventually.assertEventually(
        () ->
            assertThat(list(PODS))
                .singleElement()
                .matches(pod -> pod.meta().name().equals("strong")));
  }

  private static String told(ApiObject event) {
    MapNode root = event.root();
    String path = root.map("regarding").text("fieldPath");
    return root.text("reason") + (path.isEmpty() ? "" : " " + path) + ": " + root.text("note");
  }

  private List<String> eventsOfKubelets() {
    return list(EVENTS).stream()
        .filter(event -> event.root().map("deprecatedSource").text("component").equals("kubelet"))
        .filter(event -> event.root().map("deprecatedSource").text("host").equals("simulated-0"))
        .map(SimulatedNodesOnServerTest::told)
        .toList();
  }

  @Test
  void kubelet_tellsOfContainersThatStartAndEnd() throws Exception {
    start("--simulated-nodes=1");
    pod("web", "'containers':[{'name':'main','image':'nginx:1','imagePullPolicy':'IfNotPresent'}]");
    Eventually.assertEventually(
        () ->
            assertThat(eventsOfKubelets())
                .containsExactlyInAnyOrder(
                    "Pulled spec.containers{main}: Container image \"nginx:1\" already present on"
                        + " machine and can be accessed by the pod",
                    "Created spec.containers{main}: Container created",
                    "Started spec.containers{main}: Container started"));

    user()
        .delete(
            PODS, "default", "web", new DeleteRequest("", "", DeleteRequest.Dependents.DEFAULT));

    Eventually.assertEventually(
        () ->
            assertThat(eventsOfKubelets())
                .contains("Killing spec.containers{main}: Stopping container main"));
  }

  /** Kubelets look at pods that no scheduler has looked at. */
  @Test
  void podsWithANode_areTakenIfTheyFit() throws Exception {
    start("--simulated-nodes=1");
    Eventually.assertEventually(() -> assertThat(list(NODES)).hasSize(1));
    String container =
        "'nodeName':'simulated-0','containers':[{'name':'main','image':'x','resources':{'requests':{'cpu':'5'}}}]";
    pod("first", container);
    Eventually.assertEventually(
        () -> assertThat(condition(pod("first"), "Ready")).isEqualTo("True"));

    pod("second", container);
    pod(
        "other",
        "'nodeSelector':{'disk':'ssd'},'nodeName':'simulated-0','containers':[{'name':'main','image':'x'}]");

    Eventually.assertEventually(
        () -> {
          MapNode status = pod("second").map("status");
          assertThat(status.text("phase")).isEqualTo("Failed");
          assertThat(status.text("reason")).isEqualTo("OutOfcpu");
          assertThat(status.text("message"))
              .isEqualTo(
                  "Pod was rejected: Node didn't have enough resource: cpu, requested: 5000, used:"
                      + " 5000, capacity: 8000");
          assertThat(pod("other").map("status").text("reason")).isEqualTo("NodeAffinity");
        });
    Eventually.assertEventually(
        () ->
            assertThat(eventsOfKubelets())
                .contains(
                    "OutOfcpu: Node didn't have enough resource: cpu, requested: 5000, used: 5000,"
                        + " capacity: 8000",
                    "NodeAffinity: Predicate NodeAffinity failed: node(s) didn't match Pod's node"
                        + " affinity/selector"));
  }
}
