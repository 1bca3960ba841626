package dev.keelson.server;

import static dev.keelson.server.WorkloadFixture.NODES;
import static dev.keelson.server.WorkloadFixture.PODS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
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

/** The collection of pods on a server. */
@Timeout(120)
class PodGarbageOnServerTest {

  private WorkloadFixture fixture;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    fixture = new WorkloadFixture(directory);
    fixture.collectGarbage();
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  private void pod(String name, String node, String finalizers) throws InterruptedException {
    ApiObject unused =
        fixture.create(
            PODS,
            "Pod",
            ("{'metadata':{'name':'%s','namespace':'default','finalizers':[%s]},'spec':{"
                    + "'nodeName':'%s','containers':[{'name':'main','image':'busybox'}]}}")
                .formatted(name, finalizers, node));
  }

  private void delete(String pod) throws InterruptedException {
    fixture.user.delete(PODS, "default", pod, new DeleteRequest("", "", Dependents.DEFAULT));
  }

  private void awaitGone(String pod) {
    Eventually.assertEventually(
        () -> assertThat(fixture.list(PODS, "", "metadata.name=" + pod)).isEmpty());
  }

  @Test
  void podsOfMissingNodes_failAndGo() throws Exception {
    ApiObject node = fixture.create(NODES, "Node", "{'metadata':{'name':'here'}}");
    pod("stays", "here", "");
    pod("lost", "gone", "");
    pod("held", "gone", "'example.com/hold'");

    awaitGone("lost");
    Eventually.assertEventually(
        () -> {
          ApiObject held = fixture.get(PODS, "held");
          assertThat(held.meta().deleting()).isTrue();
          assertThat(held.root().map("status").text("phase")).isEqualTo("Failed");
          assertThat(held.root().map("status").maps("conditions"))
              .anySatisfy(
                  condition -> {
                    assertThat(condition.text("type")).isEqualTo("DisruptionTarget");
                    assertThat(condition.text("reason")).isEqualTo("DeletionByPodGC");
                    assertThat(condition.text("message")).isEqualTo("PodGC: node no longer exists");
                    assertThat(condition.get("observedGeneration")).isEqualTo(new Node.Int(1));
                  });
        });
    assertThat(node.meta().name()).isEqualTo("here");
    assertThat(fixture.get(PODS, "stays").meta().deleting()).isFalse();
  }

  @Test
  void endedPodsOverTheThreshold_go_theOldestFirst() throws Exception {
    ApiObject unused = fixture.create(NODES, "Node", "{'metadata':{'name':'here'}}");
    for (int i = 0; i < 5; i++) {
      pod("ended-" + i, "here", "");
      ApiObject ended =
          fixture
              .user
              .patch(
                  PODS,
                  "default",
                  "ended-" + i,
                  "status",
                  Patch.MERGE,
                  CustomTypes.tree("{'status':{'phase':'Succeeded'}}"))
              .object();
      assertThat(ended.meta().deleting()).isFalse();
    }
    pod("runs", "here", "");

    awaitGone("ended-0");
    awaitGone("ended-1");
    assertThat(fixture.list(PODS, "", ""))
        .extracting(pod -> pod.meta().name())
        .containsExactlyInAnyOrder("ended-2", "ended-3", "ended-4", "runs");
  }

  @Test
  void podThatIsBeingDeleted_countsAmongThoseThatHaveEnded() throws Exception {
    ApiObject unused = fixture.create(NODES, "Node", "{'metadata':{'name':'here'}}");
    for (int i = 0; i < 3; i++) {
      pod("ended-" + i, "here", "");
      fixture.patch(PODS, "ended-" + i, "status", "{'status':{'phase':'Succeeded'}}");
    }
    pod("held", "here", "'example.com/hold'");
    delete("held");

    fixture.patch(PODS, "held", "status", "{'status':{'phase':'Succeeded'}}");

    awaitGone("ended-0");
    assertThat(fixture.list(PODS, "", ""))
        .extracting(pod -> pod.meta().name())
        .containsExactlyInAnyOrder("ended-1", "ended-2", "held");
  }

  @Test
  void evictedPods_goBeforeOlderOnes() throws Exception {
    ApiObject unused = fixture.create(NODES, "Node", "{'metadata':{'name':'here'}}");
    for (int i = 0; i < 4; i++) {
      pod("ended-" + i, "here", "");
    }
    for (int i = 3; i >= 0; i--) {
      String status = i == 3 ? "'phase':'Failed','reason':'Evicted'" : "'phase':'Failed'";
      Written unusedWrite =
          fixture.user.patch(
              PODS,
              "default",
              "ended-" + i,
              "status",
              Patch.MERGE,
              CustomTypes.tree("{'status':{" + status + "}}"));
    }

    awaitGone("ended-3");
    assertThat(fixture.list(PODS, "", ""))
        .extracting(pod -> pod.meta().name())
        .containsExactlyInAnyOrder("ended-0", "ended-1", "ended-2");
  }

  @Test
  void deletedPodsOfNodesOutOfService_go() throws Exception {
    ApiObject unused = fixture.create(NODES, "Node", "{'metadata':{'name':'down'}}");
    pod("stuck", "down", "");
    pod("runs", "down", "");
    delete("stuck");
    assertThat(fixture.get(PODS, "stuck").meta().deleting()).isTrue();

    ApiObject tainted =
        fixture
            .user
            .patch(
                NODES,
                "",
                "down",
                "",
                Patch.MERGE,
                CustomTypes.tree(
                    "{'spec':{'taints':[{'key':'node.kubernetes.io/out-of-service',"
                        + "'effect':'NoExecute'}]}}"))
            .object();

    awaitGone("stuck");
    assertThat(tainted.meta().name()).isEqualTo("down");
    assertThat(fixture.get(PODS, "runs").meta().deleting()).isFalse();
  }
}
