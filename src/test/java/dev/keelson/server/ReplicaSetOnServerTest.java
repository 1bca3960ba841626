package dev.keelson.server;

import static dev.keelson.server.WorkloadFixture.EVENTS;
import static dev.keelson.server.WorkloadFixture.PODS;
import static dev.keelson.server.WorkloadFixture.SETS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The ReplicaSet controller on a server. */
@Timeout(120)
class ReplicaSetOnServerTest {

  private WorkloadFixture fixture;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    fixture = new WorkloadFixture(directory);
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  private ApiObject create(String name, int replicas) throws InterruptedException {
    return fixture.create(
        SETS,
        "ReplicaSet",
        ("{'metadata':{'name':'%1$s','namespace':'default'},'spec':{'replicas':%2$d,"
                + "'selector':{'matchLabels':{'app':'%1$s'}},'template':{'metadata':{"
                + "'labels':{'app':'%1$s'},'annotations':{'note':'yes'}},'spec':{'containers':[{"
                + "'name':'main','image':'nginx'}]}}}}")
            .formatted(name, replicas));
  }

  private MapNode status(String name) {
    return fixture.status(SETS, name);
  }

  @Test
  void newSet_getsItsPodsWithStatusAndEvents() throws Exception {
    ApiObject set = create("web", 3);

    Eventually.assertEventually(
        () -> {
          assertThat(fixture.pods("web")).hasSize(3);
          assertThat(status("web").get("replicas")).isEqualTo(new Node.Int(3));
          assertThat(status("web").get("fullyLabeledReplicas")).isEqualTo(new Node.Int(3));
          assertThat(status("web").get("observedGeneration")).isEqualTo(new Node.Int(1));
        });
    for (ApiObject pod : fixture.pods("web")) {
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
          assertThat(fixture.list(EVENTS, "", "reason=SuccessfulCreate"))
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
        });
  }

  @Test
  void scaledAndShrunk_keepsTheReadyPods() throws Exception {
    ApiObject unused = create("web", 5);
    Eventually.assertEventually(() -> assertThat(fixture.pods("web")).hasSize(5));
    String ready = fixture.pods("web").getFirst().meta().name();
    fixture.patch(
        PODS,
        ready,
        "status",
        "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True',"
            + "'lastTransitionTime':'2026-01-01T00:00:00Z'}]}}");
    Eventually.assertEventually(
        () -> assertThat(status("web").get("availableReplicas")).isEqualTo(new Node.Int(1)));

    fixture.patch(SETS, "web", "", "{'spec':{'replicas':1}}");

    Eventually.assertEventually(
        () -> {
          assertThat(fixture.pods("web")).hasSize(1);
          assertThat(fixture.pods("web").getFirst().meta().name()).isEqualTo(ready);
          assertThat(status("web").get("replicas")).isEqualTo(new Node.Int(1));
          assertThat(status("web").get("observedGeneration")).isEqualTo(new Node.Int(2));
        });
  }

  @Test
  void pods_areReplacedReleasedAndAdopted() throws Exception {
    ApiObject unused = create("web", 2);
    Eventually.assertEventually(() -> assertThat(fixture.pods("web")).hasSize(2));
    String first = fixture.pods("web").get(0).meta().name();
    String second = fixture.pods("web").get(1).meta().name();

    fixture.user.delete(PODS, "default", first, new DeleteRequest("", "", Dependents.DEFAULT));
    Eventually.assertEventually(
        () ->
            assertThat(fixture.pods("web"))
                .hasSize(2)
                .noneMatch(pod -> pod.meta().name().equals(first)));

    fixture.patch(PODS, second, "", "{'metadata':{'labels':{'app':'other'}}}");
    Eventually.assertEventually(
        () -> {
          assertThat(fixture.pods("web")).hasSize(2);
          assertThat(fixture.pods("other"))
              .singleElement()
              .satisfies(pod -> assertThat(pod.meta().node().has("ownerReferences")).isFalse());
        });

    fixture.patch(PODS, second, "", "{'metadata':{'labels':{'app':'web'}}}");
    Eventually.assertEventually(
        () ->
            assertThat(fixture.pods("web"))
                .hasSize(2)
                .allMatch(pod -> !pod.meta().node().maps("ownerReferences").isEmpty()));
  }

  @Test
  void refusedPods_areToldInTheStatusAndTriedAgain() throws Exception {
    GroupVersionResource quotas = GroupVersion.CORE_V1.resource("resourcequotas");
    ApiObject quota =
        fixture.create(
            quotas,
            "ResourceQuota",
            "{'metadata':{'name':'q','namespace':'default'},'spec':{'hard':{'pods':'1'}}}");
    Eventually.assertEventually(() -> assertThat(fixture.status(quotas, "q").has("used")).isTrue());
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
    fixture.user.delete(
        quotas, "default", quota.meta().name(), new DeleteRequest("", "", Dependents.DEFAULT));

    Eventually.assertEventually(
        () -> {
          assertThat(fixture.pods("web")).hasSize(3);
          assertThat(status("web").maps("conditions")).isEmpty();
          assertThat(status("web").get("replicas")).isEqualTo(new Node.Int(3));
        });
    assertThat(set.meta().generation()).isEqualTo(1);
  }
}
