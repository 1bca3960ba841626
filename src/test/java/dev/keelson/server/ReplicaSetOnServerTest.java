package dev.keelson.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.replicaset.ReplicaSetController;
import dev.keelson.controller.workload.PodFacts;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ReplicaSet controller with the rights of its service account. */
@Timeout(120)
class ReplicaSetOnServerTest {

  private static final GroupVersionResource SETS = ReplicaSetController.RESOURCE;
  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  private static final GroupVersionResource EVENTS = GroupVersion.CORE_V1.resource("events");

  private final Vertx vertx = Vertx.vertx();
  private ComposedServer server;
  private ApiClient user;
  private ControllerLoop podLoop;
  private ReplicaSetController controller;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    server =
        ComposedServer.of(
            OpenedResources.open(
                CustomTypesContract.options(
                    List.of(
                        "--data-dir=" + directory, "--secure-port=0", "--authorization-mode=RBAC")),
                InstantSource.system()),
            vertx);
    assertThat(server.server().ready(6443, Duration.ZERO)).contains("ready");
    UserInfo master = new UserInfo("master", "", List.of("system:masters"), Map.of());
    user = new ApiClient(server.api().loopback().as(master, "test"));
    ApiClient own =
        new ApiClient(server.api().loopback().serviceAccount(ReplicaSetController.NAME));
    Informer<PodFacts> pods =
        new Informer<>(own, Selection.of(PODS), PodFacts::of, List.of(PodFacts.BY_OWNER));
    podLoop = ControllerLoop.every("informer-pods", Duration.ofMillis(1), pods::follow);
    podLoop.start();
    controller = new ReplicaSetController(own, pods, InstantSource.system(), System::nanoTime);
    controller.start();
  }

  @AfterEach
  void stop() throws Exception {
    controller.close();
    podLoop.close();
    int running = server.server().stop();
    Void unused = vertx.close().toCompletionStage().toCompletableFuture().get();
    assertThat(running).isZero();
  }

  private ApiObject create(String name, int replicas) throws InterruptedException {
    String text =
        "{'metadata':{'name':'%1$s','namespace':'default'},'spec':{'replicas':%2$d,"
            + "'selector':{'matchLabels':{'app':'%1$s'}},'template':{'metadata':{"
            + "'labels':{'app':'%1$s'},'annotations':{'note':'yes'}},'spec':{'containers':[{"
            + "'name':'main','image':'nginx'}]}}}}";
    return user.create(
        SETS,
        new ApiObject(CustomTypes.tree(text.formatted(name, replicas)))
            .withType("apps/v1", "ReplicaSet"));
  }

  private List<ApiObject> pods(String app) {
    try {
      return user.list(new Selection(PODS, "default", "app=" + app, ""));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private MapNode status(String name) {
    try {
      return user.get(SETS, "default", name).orElseThrow().root().map("status");
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void patch(GroupVersionResource type, String name, String subresource, String patch)
      throws InterruptedException {
    ApiObject unused =
        user.patch(type, "default", name, subresource, Patch.MERGE, CustomTypes.tree(patch));
  }

  @Test
  void newSet_getsItsPodsWithStatusAndEvents() throws Exception {
    ApiObject set = create("web", 3);

    Eventually.assertEventually(
        () -> {
          assertThat(pods("web")).hasSize(3);
          assertThat(status("web").get("replicas")).isEqualTo(new Node.Int(3));
          assertThat(status("web").get("fullyLabeledReplicas")).isEqualTo(new Node.Int(3));
          assertThat(status("web").get("observedGeneration")).isEqualTo(new Node.Int(1));
        });
    for (ApiObject pod : pods("web")) {
      assertThat(pod.meta().name()).matches("web-[a-z0-9]{5}");
      assertThat(pod.meta().annotations()).containsEntry("note", "yes");
      assertThat(pod.meta().node().maps("ownerReferences"))
          .containsExactly(
              CustomTypes.tree(
                  "{'apiVersion':'apps/v1','kind':'ReplicaSet','name':'web','uid':'%s',"
                          .formatted(set.meta().uid())
                      + "'controller':true,'blockOwnerDeletion':true}"));
    }
    Eventually.assertEventually(
        () -> {
          try {
            assertThat(user.list(new Selection(EVENTS, "default", "", "reason=SuccessfulCreate")))
                .hasSize(3)
                .allSatisfy(
                    event -> {
                      assertThat(event.root().text("message")).startsWith("Created pod: web-");
                      assertThat(event.root().text("type")).isEqualTo("Normal");
                      assertThat(event.root().map("source").text("component"))
                          .isEqualTo("replicaset-controller");
                      assertThat(event.root().map("involvedObject").text("uid"))
                          .isEqualTo(set.meta().uid());
                    });
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void scaledAndShrunk_keepsTheReadyPods() throws Exception {
    ApiObject unused = create("web", 5);
    Eventually.assertEventually(() -> assertThat(pods("web")).hasSize(5));
    String ready = pods("web").getFirst().meta().name();
    patch(
        PODS,
        ready,
        "status",
        "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True',"
            + "'lastTransitionTime':'2026-01-01T00:00:00Z'}]}}");
    Eventually.assertEventually(
        () -> assertThat(status("web").get("availableReplicas")).isEqualTo(new Node.Int(1)));

    patch(SETS, "web", "", "{'spec':{'replicas':1}}");

    Eventually.assertEventually(
        () -> {
          assertThat(pods("web")).hasSize(1);
          assertThat(pods("web").getFirst().meta().name()).isEqualTo(ready);
          assertThat(status("web").get("replicas")).isEqualTo(new Node.Int(1));
          assertThat(status("web").get("observedGeneration")).isEqualTo(new Node.Int(2));
        });
  }

  @Test
  void pods_areReplacedReleasedAndAdopted() throws Exception {
    ApiObject unused = create("web", 2);
    Eventually.assertEventually(() -> assertThat(pods("web")).hasSize(2));
    String first = pods("web").get(0).meta().name();
    String second = pods("web").get(1).meta().name();

    user.delete(PODS, "default", first, new DeleteRequest("", "", Dependents.DEFAULT));
    Eventually.assertEventually(
        () -> assertThat(pods("web")).hasSize(2).noneMatch(pod -> pod.meta().name().equals(first)));

    patch(PODS, second, "", "{'metadata':{'labels':{'app':'other'}}}");
    Eventually.assertEventually(
        () -> {
          assertThat(pods("web")).hasSize(2);
          assertThat(pods("other"))
              .singleElement()
              .satisfies(pod -> assertThat(pod.meta().node().has("ownerReferences")).isFalse());
        });

    patch(PODS, second, "", "{'metadata':{'labels':{'app':'web'}}}");
    Eventually.assertEventually(
        () ->
            assertThat(pods("web"))
                .hasSize(2)
                .allMatch(pod -> !pod.meta().node().maps("ownerReferences").isEmpty()));
  }

  @Test
  void refusedPods_areToldInTheStatusAndTriedAgain() throws Exception {
    GroupVersionResource quotas = GroupVersion.CORE_V1.resource("resourcequotas");
    ApiObject quota =
        user.create(
            quotas,
            new ApiObject(
                    CustomTypes.tree(
                        "{'metadata':{'name':'q','namespace':'default'},"
                            + "'spec':{'hard':{'pods':'1'}}}"))
                .withType("v1", "ResourceQuota"));
    Eventually.assertEventually(
        () -> {
          try {
            assertThat(
                    user.get(quotas, "default", "q").orElseThrow().root().map("status").has("used"))
                .isTrue();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    ApiObject set = create("web", 3);

    Eventually.assertEventually(
        () ->
            assertThat(status("web").maps("conditions"))
                .singleElement()
                .satisfies(
                    condition -> {
                      assertThat(condition.text("type")).isEqualTo("ReplicaFailure");
                      assertThat(condition.text("reason")).isEqualTo("FailedCreate");
                      assertThat(condition.text("message")).contains("exceeded quota: q");
                    }));
    user.delete(
        quotas, "default", quota.meta().name(), new DeleteRequest("", "", Dependents.DEFAULT));

    Eventually.assertEventually(
        () -> {
          assertThat(pods("web")).hasSize(3);
          assertThat(status("web").maps("conditions")).isEmpty();
          assertThat(status("web").get("replicas")).isEqualTo(new Node.Int(3));
        });
    assertThat(set.meta().generation()).isEqualTo(1);
  }
}
