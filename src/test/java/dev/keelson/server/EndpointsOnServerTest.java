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
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The addresses of Services, kept by their controllers on a server with nodes. */
final class EndpointsOnServerTest {

  private static final GroupVersionResource SERVICES = GroupVersion.CORE_V1.resource("services");
  private static final GroupVersionResource ENDPOINTS = GroupVersion.CORE_V1.resource("endpoints");
  private static final GroupVersionResource SLICES =
      new GroupVersion("discovery.k8s.io", "v1").resource("endpointslices");
  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  private static final GroupVersionResource DEPLOYMENTS = DeploymentController.RESOURCE;

  @TempDir private Path directory;
  private final Vertx vertx = Vertx.vertx();
  private @Nullable ComposedServer running;
  private @Nullable ApiClient master;

  @BeforeEach
  void start() throws InterruptedException {
    ComposedServer server =
        ComposedServer.of(
            OpenedResources.open(
                CustomTypesContract.options(
                    List.of(
                        "--data-dir=" + directory,
                        "--secure-port=0",
                        "--authorization-mode=RBAC",
                        "--simulated-nodes=2")),
                InstantSource.system()),
            vertx);
    running = server;
    assertThat(server.server().ready(6443, Duration.ZERO)).contains("ready");
    server.server().act();
    UserInfo administrator = new UserInfo("master", "", List.of("system:masters"), Map.of());
    master = new ApiClient(server.api().loopback().as(administrator, "test"));
    create(
        DEPLOYMENTS,
        "Deployment",
        "{'metadata':{'name':'web','namespace':'default'},'spec':{'replicas':3,'selector':{"
            + "'matchLabels':{'app':'web'}},'template':{'metadata':{'labels':{'app':'web'}},"
            + "'spec':{'containers':[{'name':'main','image':'nginx','ports':[{'name':'http',"
            + "'containerPort':8080}]}]}}}}");
    create(
        SERVICES,
        "Service",
        "{'metadata':{'name':'web','namespace':'default','labels':{'team':'a'}},'spec':{"
            + "'selector':{'app':'web'},'ports':[{'port':80,'targetPort':'http'}]}}");
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

  private List<MapNode> slices() {
    try {
      return user()
          .list(new Selection(SLICES, "default", "kubernetes.io/service-name=web", ""))
          .stream()
          .map(ApiObject::root)
          .toList();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private List<String> messages(String reason) {
    return messages("default", reason);
  }

  private List<String> messages(String namespace, String reason) {
    try {
      Selection events =
          new Selection(GroupVersion.CORE_V1.resource("events"), namespace, "", "reason=" + reason);
      return user().list(events).stream().map(event -> event.root().text("message")).toList();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private MapNode endpoints() {
    try {
      return user().get(ENDPOINTS, "default", "web").map(ApiObject::root).orElse(MapNode.EMPTY);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void scale(int replicas) throws InterruptedException {
    Written unused =
        user()
            .patch(
                DEPLOYMENTS,
                "default",
                "web",
                "",
                Patch.MERGE,
                CustomTypes.tree("{'spec':{'replicas':" + replicas + "}}"));
  }

  private void awaitReady(int pods) {
    Eventually.assertEventually(
        () -> {
          assertThat(slices()).hasSize(1);
          assertThat(slices().getFirst().maps("endpoints"))
              .hasSize(pods)
              .allMatch(
                  endpoint -> Node.Bool.of(true).equals(endpoint.map("conditions").get("ready")));
          assertThat(endpoints().maps("subsets")).hasSize(pods == 0 ? 0 : 1);
          assertThat(
                  endpoints().maps("subsets").stream()
                      .mapToInt(subset -> subset.items("addresses").size())
                      .sum())
              .isEqualTo(pods);
        });
  }

  @Test
  void service_hasTheAddressesOfItsReadyPods() throws Exception {
    awaitReady(3);
    MapNode slice = slices().getFirst();
    assertThat(slice.text("addressType")).isEqualTo("IPv4");
    assertThat(slice.maps("ports"))
        .singleElement()
        .matches(port -> new Node.Int(8080).equals(port.get("port")));
    assertThat(slice.map("metadata").map("labels").texts())
        .containsEntry("team", "a")
        .containsEntry("endpointslice.kubernetes.io/managed-by", "endpointslice-controller.k8s.io");
    assertThat(slice.maps("endpoints"))
        .allMatch(endpoint -> endpoint.text("nodeName").startsWith("simulated-"));
    assertThat(endpoints().map("metadata").map("labels").texts())
        .containsEntry("endpoints.kubernetes.io/managed-by", "endpoint-controller");
    for (MapNode each : List.of(slice, endpoints())) {
      assertThat(each.map("metadata").map("annotations").texts())
          .containsKey("endpoints.kubernetes.io/last-change-trigger-time");
    }

    scale(1);
    awaitReady(1);
    scale(0);
    awaitReady(0);
  }

  @Test
  void podOfANodeThatIsNotThere_isLeftOut_andTold() throws Exception {
    awaitReady(3);
    create(
        PODS,
        "Pod",
        "{'metadata':{'name':'stray','namespace':'default','labels':{'app':'web'}},'spec':{"
            + "'nodeName':'late','containers':[{'name':'main','image':'nginx','ports':[{"
            + "'name':'http','containerPort':8080}]}]}}");
    Written unused =
        user()
            .patch(
                PODS,
                "default",
                "stray",
                "status",
                Patch.MERGE,
                CustomTypes.tree(
                    "{'status':{'phase':'Running','podIP':'10.9.9.9','podIPs':[{'ip':'10.9.9.9'}],"
                        + "'conditions':[{'type':'Ready','status':'True'}]}}"));

    Eventually.assertEventually(
        () ->
            assertThat(messages("FailedToUpdateEndpointSlices"))
                .contains(
                    "Error updating Endpoint Slices for Service default/web: skipping Pod stray for"
                        + " Service default/web: Node late Not Found"));
    assertThat(slices().getFirst().maps("endpoints")).hasSize(3);

    create(GroupVersion.CORE_V1.resource("nodes"), "Node", "{'metadata':{'name':'late'}}");

    Eventually.assertEventually(() -> assertThat(slices().getFirst().maps("endpoints")).hasSize(4));
  }

  @Test
  void serviceThatAsksForIt_isDividedAmongZones() throws Exception {
    scale(4);
    awaitReady(4);
    mode("Auto");
    awaitMessage(
        "TopologyAwareHintsDisabled",
        "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes,"
            + " addressType: IPv4");

    for (int i = 0; i < 2; i++) {
      Written unused =
          user()
              .patch(
                  GroupVersion.CORE_V1.resource("nodes"),
                  "",
                  "simulated-" + i,
                  "",
                  Patch.MERGE,
                  CustomTypes.tree(
                      "{'metadata':{'labels':{'topology.kubernetes.io/zone':'z" + i + "'}}}"));
    }

    awaitMessage(
        "TopologyAwareHintsEnabled", "Topology Aware Hints has been enabled, addressType: IPv4");
    Eventually.assertEventually(
        () ->
            assertThat(slices().getFirst().maps("endpoints"))
                .allMatch(endpoint -> endpoint.map("hints").has("forZones")));
    mode("Disabled");
    awaitMessage(
        "TopologyAwareHintsDisabled", "Topology Aware Hints has been disabled, addressType: IPv4");
    Eventually.assertEventually(
        () ->
            assertThat(slices().getFirst().maps("endpoints"))
                .noneMatch(endpoint -> endpoint.has("hints")));
  }

  @Test
  void addressesThatCannotBeWritten_areTold() throws Exception {
    create(
        GroupVersion.CORE_V1.resource("namespaces"), "Namespace", "{'metadata':{'name':'full'}}");
    create(
        GroupVersion.CORE_V1.resource("resourcequotas"),
        "ResourceQuota",
        "{'metadata':{'name':'none','namespace':'full'},'spec':{'hard':{'count/endpoints':'0',"
            + "'count/endpointslices.discovery.k8s.io':'0'}}}");
    create(
        SERVICES,
        "Service",
        "{'metadata':{'name':'web','namespace':'full'},'spec':{'selector':{'app':'web'},"
            + "'ports':[{'port':80}]}}");

    awaitStart(
        "FailedToCreateEndpoint", "Failed to create endpoint for service full/web: endpoints");
    awaitStart(
        "FailedToUpdateEndpointSlices",
        "Error updating Endpoint Slices for Service full/web: failed to create EndpointSlice for"
            + " Service full/web: endpointslices");
  }

  private void awaitStart(String reason, String begin) {
    Eventually.assertEventually(
        () -> assertThat(messages("full", reason)).anyMatch(message -> message.startsWith(begin)));
  }

  private void mode(String mode) throws InterruptedException {
    Written unused =
        user()
            .patch(
                SERVICES,
                "default",
                "web",
                "",
                Patch.MERGE,
                CustomTypes.tree(
                    "{'metadata':{'annotations':{'service.kubernetes.io/topology-mode':'%s'}}}"
                        .formatted(mode)));
  }

  private void awaitMessage(String reason, String message) {
    Eventually.assertEventually(() -> assertThat(messages(reason)).contains(message));
  }

  @Test
  void deletedSlice_comesAgain_andAllGoWithTheService() throws Exception {
    awaitReady(3);
    user()
        .delete(
            SLICES,
            "default",
            slices().getFirst().map("metadata").text("name"),
            new DeleteRequest("", "", DeleteRequest.Dependents.DEFAULT));
    awaitReady(3);

    user()
        .delete(
            SERVICES,
            "default",
            "web",
            new DeleteRequest("", "", DeleteRequest.Dependents.DEFAULT));

    Eventually.assertEventually(
        () -> {
          assertThat(slices()).isEmpty();
          assertThat(endpoints()).isEqualTo(MapNode.EMPTY);
        });
  }
}
