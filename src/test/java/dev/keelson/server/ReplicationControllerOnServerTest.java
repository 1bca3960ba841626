package dev.keelson.server;

import static dev.keelson.server.WorkloadFixture.EVENTS;
import static dev.keelson.server.WorkloadFixture.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.controller.workload.ReplicaSetFacts.Variant;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The controller of ReplicationControllers on a server. */
@Timeout(120)
class ReplicationControllerOnServerTest {

  private static final GroupVersionResource CONTROLLERS = Variant.REPLICATION_CONTROLLER.resource();

  private WorkloadFixture fixture;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    fixture = new WorkloadFixture(directory);
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  /** Without a selector, which is that of the template's labels then. */
  private ApiObject create(String name, int replicas) throws InterruptedException {
    return fixture.create(
        CONTROLLERS,
        "ReplicationController",
        ("{'metadata':{'name':'%1$s','namespace':'default'},'spec':{'replicas':%2$d,"
                + "'template':{'metadata':{'labels':{'app':'%1$s'}},'spec':{'containers':[{"
                + "'name':'main','image':'nginx'}]}}}}")
            .formatted(name, replicas));
  }

  @Test
  void newController_getsItsPodsWithStatusAndEvents() throws Exception {
    fixture.readyIf(pod -> true);
    ApiObject controller = create("web", 2);

    Eventually.assertEventually(
        () ->
            assertThat(fixture.status(CONTROLLERS, "web"))
                .isEqualTo(
                    CustomTypes.tree(
                        "{'replicas':2,'fullyLabeledReplicas':2,'readyReplicas':2,"
                            + "'availableReplicas':2,'observedGeneration':1}")));
    for (ApiObject pod : fixture.pods("web")) {
      assertThat(pod.meta().name()).matches("web-[a-z0-9]{5}");
      assertThat(pod.meta().node().maps("ownerReferences"))
          .containsExactly(
              CustomTypes.tree(
                  "{'apiVersion':'v1','kind':'ReplicationController','name':'web','uid':'%s',"
                          .formatted(controller.meta().uid())
                      + "'controller':true,'blockOwnerDeletion':true}"));
    }
    Eventually.assertEventually(
        () ->
            assertThat(fixture.list(EVENTS, "", "reason=SuccessfulCreate"))
                .hasSize(2)
                .allSatisfy(
                    event -> {
                      assertThat(event.root().map("source").text("component"))
                          .isEqualTo("replication-controller");
                      assertThat(event.root().map("involvedObject").text("kind"))
                          .isEqualTo("ReplicationController");
                    }));
  }

  @Test
  void pods_areReplacedReleasedAndRemoved() throws Exception {
    ApiObject unused = create("web", 2);
    Eventually.assertEventually(() -> assertThat(fixture.pods("web")).hasSize(2));
    String first = fixture.pods("web").get(0).meta().name();
    String second = fixture.pods("web").get(1).meta().name();

    fixture.user.delete(PODS, "default", first, new DeleteRequest("", "", Dependents.DEFAULT));
    fixture.patch(PODS, second, "", "{'metadata':{'labels':{'app':'other'}}}");

    Eventually.assertEventually(
        () -> {
          assertThat(fixture.pods("web"))
              .hasSize(2)
              .noneMatch(pod -> pod.meta().name().equals(first));
          assertThat(fixture.pods("other"))
              .singleElement()
              .satisfies(pod -> assertThat(pod.meta().node().has("ownerReferences")).isFalse());
        });

    fixture.patch(CONTROLLERS, "web", "", "{'spec':{'replicas':0}}");
    Eventually.assertEventually(
        () -> {
          assertThat(fixture.pods("web")).isEmpty();
          assertThat(fixture.status(CONTROLLERS, "web").get("replicas")).isEqualTo(new Node.Int(0));
        });
  }

  @Test
  void setsAndControllersOfOneName_keepTheirOwnPods() throws Exception {
    ApiObject unused = create("web", 1);
    Eventually.assertEventually(() -> assertThat(fixture.pods("web")).hasSize(1));

    ApiObject set =
        fixture.create(
            WorkloadFixture.SETS,
            "ReplicaSet",
            "{'metadata':{'name':'web','namespace':'default'},'spec':{'replicas':2,"
                + "'selector':{'matchLabels':{'app':'web'}},'template':{'metadata':{"
                + "'labels':{'app':'web'}},'spec':{'containers':[{'name':'main',"
                + "'image':'nginx'}]}}}}");

    Eventually.assertEventually(
        () -> {
          assertThat(fixture.pods("web"))
              .hasSize(3)
              .filteredOn(
                  pod ->
                      pod.meta().node().maps("ownerReferences").stream()
                          .anyMatch(owner -> owner.text("uid").equals(set.meta().uid())))
              .hasSize(2);
          assertThat(fixture.status(CONTROLLERS, "web").get("replicas")).isEqualTo(new Node.Int(1));
        });
  }
}
