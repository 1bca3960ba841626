package dev.keelson.server;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.Written;
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

/** Devices as extended resources, and devices that their drivers have to prepare. */
final class ScheduledDevicesOnServerTest {

  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  private static final GroupVersion RESOURCE = new GroupVersion("resource.k8s.io", "v1");
  private static final GroupVersionResource CLAIMS = RESOURCE.resource("resourceclaims");
  private static final GroupVersionResource EVENTS =
      new GroupVersion("events.k8s.io", "v1").resource("events");

  @TempDir private Path directory;
  private final Vertx vertx = Vertx.vertx();
  private @Nullable ComposedServer running;
  private @Nullable ApiClient master;

  @BeforeEach
  void start() throws Exception {
    ComposedServer server =
        ComposedServer.of(
            OpenedResources.open(
                CustomTypesContract.options(
                    List.of(
                        "--data-dir=" + directory,
                        "--secure-port=0",
                        "--authorization-mode=RBAC",
                        "--simulated-nodes=1")),
                InstantSource.system()),
            vertx);
    assertThat(server.server().ready(6443, Duration.ZERO)).contains("ready");
    server.server().act();
    running = server;
    master =
        new ApiClient(
            server
                .api()
                .loopback()
                .as(new UserInfo("master", "", List.of("system:masters"), Map.of()), "test"));
    create(
        RESOURCE.resource("deviceclasses"),
        "DeviceClass",
        "{'metadata':{'name':'gpus'},'spec':{'extendedResourceName':'example.com/gpu'}}");
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

  private void devices(String more) throws InterruptedException {
    create(
        RESOURCE.resource("resourceslices"),
        "ResourceSlice",
        ("{'metadata':{'name':'s'},'spec':{'driver':'d.example.com','nodeName':'simulated-0','pool':"
                + "{'name':'p','generation':1,'resourceSliceCount':1},'devices':[{'name':'a'%1$s},{'name':'b'%1$s}]}}")
            .formatted(more));
  }

  private void pod(String name, String spec) throws InterruptedException {
    create(
        PODS,
        "Pod",
        "{'metadata':{'name':'%s','namespace':'default'},'spec':{%s}}".formatted(name, spec));
  }

  private static String asking(int gpus) {
    return "'restartPolicy':'Never','containers':[{'name':'main','image':'x','resources':{'requests':{'example.com/gpu':'%1$d'},'limits':{'example.com/gpu':'%1$d'}}}]"
        .formatted(gpus);
  }

  private List<ApiObject> list(GroupVersionResource type) {
    try {
      return user().list(Selection.of(type));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private MapNode pod(String name) {
    try {
      return user().get(PODS, "default", name).orElseThrow().root();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void extendedResource_isAClaim_untilThePodEnds() throws Exception {
    devices("");
    pod("two", asking(2));

    Eventually.assertEventually(
        () -> assertThat(pod("two").map("spec").text("nodeName")).isEqualTo("simulated-0"));
    MapNode told = pod("two").map("status").map("extendedResourceClaimStatus");
    assertThat(told.text("resourceClaimName")).startsWith("two-extended-resources-");
    assertThat(told.maps("requestMappings"))
        .singleElement()
        .isEqualTo(
            CustomTypes.tree(
                "{'containerName':'main','resourceName':'example.com/gpu','requestName':'container-0-request-0'}"));

    pod("one", asking(1));
    // the pod succeeds after a second, and its claim goes
    Eventually.assertEventually(
        () -> assertThat(pod("one").map("spec").text("nodeName")).isEqualTo("simulated-0"));
    Eventually.assertEventually(() -> assertThat(list(CLAIMS)).isEmpty());
  }

  private void claim() throws InterruptedException {
    create(
        CLAIMS,
        "ResourceClaim",
        "{'metadata':{'name':'c','namespace':'default'},'spec':{'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':'gpus'}}]}}}");
  }

  private MapNode claimStatus() {
    return list(CLAIMS).getFirst().root().map("status");
  }

  private void prepared(String type) throws InterruptedException {
    MapNode device = claimStatus().map("allocation").map("devices").maps("results").getFirst();
    Written unused =
        user()
            .patch(
                CLAIMS,
                "default",
                "c",
                "status",
                Patch.MERGE,
                CustomTypes.tree(
                    ("{'status':{'devices':[{'driver':'d.example.com','pool':'p','device':'%s','conditions':[{'type':'%s','status':'True',"
                            + "'reason':'Done','message':'m','lastTransitionTime':'2026-01-01T00:00:00Z'}]}]}}")
                        .formatted(device.text("device"), type)));
  }

  private static final String BINDING =
      ",'bindingConditions':['example.com/attached'],'bindingFailureConditions':['example.com/broken']";

  private static final String USER =
      "'containers':[{'name':'main','image':'x','resources':{'claims':[{'name':'gpu'}]}}],"
          + "'resourceClaims':[{'name':'gpu','resourceClaimName':'c'}]";

  @Test
  void pod_isBoundWhenItsDevicesAreReady() throws Exception {
    devices(BINDING);
    claim();
    pod("user", USER);
    Eventually.assertEventually(() -> assertThat(claimStatus().items("reservedFor")).hasSize(1));
    Eventually.assertEventually(
        () ->
            assertThat(list(EVENTS))
                .anyMatch(
                    event ->
                        event.root().text("reason").equals("BindingConditionsPending")
                            && event
                                .root()
                                .text("note")
                                .equals(
                                    "waiting for binding conditions for device on node simulated-0")));
    assertThat(claimStatus().map("allocation").text("allocationTimestamp")).isNotEmpty();
    assertThat(pod("user").map("spec").text("nodeName")).isEmpty();
    assertThat(pod("user").map("status").text("nominatedNodeName")).isEqualTo("simulated-0");

    prepared("example.com/attached");

    Eventually.assertEventually(
        () -> assertThat(pod("user").map("spec").text("nodeName")).isEqualTo("simulated-0"));
    assertThat(pod("user").map("status").has("nominatedNodeName")).isFalse();
  }

  @Test
  void devicesThatFail_areGivenBack() throws Exception {
    devices(BINDING);
    claim();
    pod("user", USER);
    Eventually.assertEventually(() -> assertThat(claimStatus().items("reservedFor")).hasSize(1));
    Node first = claimStatus().map("allocation").get("allocationTimestamp");

    prepared("example.com/broken");

    Eventually.assertEventually(
        () ->
            assertThat(list(EVENTS))
                .extracting(event -> event.root().text("note"))
                .contains(
                    "running PreBind plugin \"DynamicResources\": claim c binding failed:"
                        + " reason=Done, message=\"m\""));
    // allocated again, without what was told of the device
    Eventually.assertEventually(
        () -> {
          assertThat(claimStatus().map("allocation").get("allocationTimestamp"))
              .isNotNull()
              .isNotEqualTo(first);
          assertThat(claimStatus().has("devices")).isFalse();
        });
  }
}
