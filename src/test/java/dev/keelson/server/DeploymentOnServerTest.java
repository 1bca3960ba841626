package dev.keelson.server;

import static dev.keelson.server.WorkloadFixture.DEPLOYMENTS;
import static dev.keelson.server.WorkloadFixture.EVENTS;
import static dev.keelson.server.WorkloadFixture.PODS;
import static dev.keelson.server.WorkloadFixture.SETS;
import static dev.keelson.server.WorkloadFixture.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The Deployment controller on a server. */
@Timeout(120)
class DeploymentOnServerTest {

  private static final String REVISION = "deployment.kubernetes.io/revision";

  private WorkloadFixture fixture;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    fixture = new WorkloadFixture(directory);
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  private ApiObject create(String name, int replicas, String more) throws InterruptedException {
    return fixture.create(
        DEPLOYMENTS,
        "Deployment",
        ("{'metadata':{'name':'%1$s','namespace':'default','annotations':{'team':'a'}},"
                + "'spec':{'replicas':%2$d,%3$s'selector':{'matchLabels':{'app':'%1$s'}},"
                + "'template':{'metadata':{'labels':{'app':'%1$s'}},'spec':{'containers':[{"
                + "'name':'main','image':'nginx:1'}]}}}}")
            .formatted(name, replicas, more));
  }

  private void image(String name, String image) throws InterruptedException {
    fixture.patch(
        DEPLOYMENTS,
        name,
        "",
        "{'spec':{'template':{'spec':{'containers':[{'name':'main','image':'%s'}]}}}}"
            .formatted(image));
  }

  private MapNode status(String name) {
    return fixture.status(DEPLOYMENTS, name);
  }

  private void goBack(String name, String revision) throws InterruptedException {
    fixture.patch(
        DEPLOYMENTS,
        name,
        "",
        "{'metadata':{'annotations':{'deprecated.deployment.rollback.to':'%s'}}}"
            .formatted(revision));
  }

  private void awaitEvent(String reason, String message) {
    Eventually.assertEventually(
        () ->
            assertThat(fixture.list(EVENTS, "", "reason=" + reason))
                .anyMatch(event -> event.root().text("message").equals(message)));
  }

  /** Cases of Kubernetes' {@code rollback.go}. */
  @Test
  void rollbackAnnotation_bringsARevisionBack() throws Exception {
    fixture.readyIf(pod -> true);
    ApiObject unused = create("web", 1, "");
    awaitComplete("web", 1);
    fixture.patch(DEPLOYMENTS, "web", "", "{'metadata':{'annotations':{'team':'b'}}}");
    image("web", "nginx:2");
    Eventually.assertEventually(
        () ->
            assertThat(fixture.get(DEPLOYMENTS, "web").meta().annotations())
                .containsEntry(REVISION, "2"));

    goBack("web", "7");
    awaitEvent("DeploymentRollbackRevisionNotFound", "Unable to find the revision to rollback to.");
    goBack("web", "0");

    awaitEvent("DeploymentRollback", "Rolled back deployment \"web\" to revision 1");
    Eventually.assertEventually(
        () -> {
          ApiObject web = fixture.get(DEPLOYMENTS, "web");
          MapNode template = web.root().map("spec").map("template");
          assertThat(template.map("spec").maps("containers").getFirst().text("image"))
              .isEqualTo("nginx:1");
          assertThat(template.map("metadata").map("labels").texts()).containsOnlyKeys("app");
          assertThat(web.meta().annotations())
              .containsEntry(REVISION, "3")
              .doesNotContainKey("deprecated.deployment.rollback.to");
        });
    goBack("web", "3");
    awaitEvent(
        "DeploymentRollbackTemplateUnchanged",
        "The rollback revision contains the same template as current deployment \"web\"");
  }

  private static Map<String, String> reasons(MapNode status) {
    return status.maps("conditions").stream()
        .collect(
            Collectors.toMap(
                condition -> condition.text("type"),
                condition -> condition.text("status") + " " + condition.text("reason")));
  }

  private ApiObject set(String image) {
    List<ApiObject> found =
        fixture.list(SETS, "", "").stream()
            .filter(
                set ->
                    set.root()
                        .map("spec")
                        .map("template")
                        .map("spec")
                        .maps("containers")
                        .getFirst()
                        .text("image")
                        .equals(image))
            .toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private static long replicas(ApiObject object) {
    return number(object.root().map("spec"), "replicas");
  }

  private void awaitComplete(String name, int replicas) {
    Eventually.assertEventually(
        () -> {
          MapNode status = status(name);
          assertThat(number(status, "updatedReplicas")).isEqualTo(replicas);
          assertThat(number(status, "replicas")).isEqualTo(replicas);
          assertThat(number(status, "availableReplicas")).isEqualTo(replicas);
          assertThat(number(status, "observedGeneration"))
              .isEqualTo(fixture.get(DEPLOYMENTS, name).meta().generation());
          assertThat(reasons(status))
              .containsEntry("Available", "True MinimumReplicasAvailable")
              .containsEntry("Progressing", "True NewReplicaSetAvailable");
        });
  }

  @Test
  void newDeployment_isRolledOut() throws Exception {
    ApiObject deployment = create("web", 3, "");
    Eventually.assertEventually(
        () -> {
          assertThat(fixture.pods("web")).hasSize(3);
          assertThat(number(status("web"), "unavailableReplicas")).isEqualTo(3);
          assertThat(reasons(status("web")))
              .containsEntry("Available", "False MinimumReplicasUnavailable")
              .containsEntry("Progressing", "True ReplicaSetUpdated");
        });

    for (ApiObject pod : fixture.pods("web")) {
      fixture.makeReady(pod.meta().name());
    }
    awaitComplete("web", 3);

    ApiObject set = set("nginx:1");
    String hash = set.meta().labels().get("pod-template-hash");
    assertThat(set.meta().name()).isEqualTo("web-" + hash);
    assertThat(set.meta().annotations())
        .containsEntry(REVISION, "1")
        .containsEntry("deployment.kubernetes.io/desired-replicas", "3")
        .containsEntry("deployment.kubernetes.io/max-replicas", "4")
        .containsEntry("team", "a");
    assertThat(set.root().map("spec").map("selector").map("matchLabels").texts())
        .containsEntry("pod-template-hash", hash);
    assertThat(set.meta().node().maps("ownerReferences").getFirst().text("uid"))
        .isEqualTo(deployment.meta().uid());
    assertThat(fixture.get(DEPLOYMENTS, "web").meta().annotations()).containsEntry(REVISION, "1");
    assertThat(status("web").maps("conditions"))
        .anySatisfy(
            condition ->
                assertThat(condition.text("message"))
                    .isEqualTo(
                        "ReplicaSet \"" + set.meta().name() + "\" has successfully progressed."));
    Eventually.assertEventually(
        () ->
            assertThat(fixture.list(EVENTS, "", "reason=ScalingReplicaSet"))
                .singleElement()
                .satisfies(
                    event ->
                        assertThat(event.root().text("message"))
                            .isEqualTo(
                                "Scaled up replica set " + set.meta().name() + " from 0 to 3")));
  }

  @Test
  void rollingUpdate_keepsTheBoundsAndCanBeUndone() throws Exception {
    AtomicLong seen = new AtomicLong();
    fixture.readyIf(
        pod -> {
          // not the pods: those of a ReplicaSet that has become smaller go a little later
          long all = fixture.list(SETS, "", "").stream().mapToLong(set -> replicas(set)).sum();
          seen.accumulateAndGet(all, Math::max);
          return true;
        });
    ApiObject unused =
        create("web", 4, "'strategy':{'rollingUpdate':{'maxSurge':1,'maxUnavailable':0}},");
    awaitComplete("web", 4);

    image("web", "nginx:2");
    awaitComplete("web", 4);

    assertThat(seen).hasValueLessThanOrEqualTo(5L);
    assertThat(replicas(set("nginx:1"))).isZero();
    assertThat(set("nginx:2").meta().annotations()).containsEntry(REVISION, "2");

    image("web", "nginx:1");
    awaitComplete("web", 4);

    assertThat(set("nginx:1").meta().annotations())
        .containsEntry(REVISION, "3")
        .containsEntry("deployment.kubernetes.io/revision-history", "1");
    assertThat(fixture.get(DEPLOYMENTS, "web").meta().annotations()).containsEntry(REVISION, "3");
    assertThat(replicas(set("nginx:2"))).isZero();
  }

  @Test
  void rolloutThatMakesNoProgress_exceedsItsDeadlineAndGoesOnLater() throws Exception {
    fixture.readyIf(pod -> true);
    ApiObject unused = create("web", 2, "'progressDeadlineSeconds':1,");
    awaitComplete("web", 2);
    fixture.readyIf(pod -> false);

    image("web", "nginx:2");
    Eventually.assertEventually(
        () ->
            assertThat(reasons(status("web")))
                .containsEntry("Progressing", "False ProgressDeadlineExceeded")
                .containsEntry("Available", "True MinimumReplicasAvailable"));
    fixture.readyIf(pod -> true);
    for (ApiObject pod : fixture.pods("web")) {
      fixture.makeReady(pod.meta().name());
    }

    awaitComplete("web", 2);
  }

  @Test
  void scalingDuringARollout_isSharedInProportion() throws Exception {
    fixture.readyIf(pod -> true);
    ApiObject unused =
        create("web", 10, "'strategy':{'rollingUpdate':{'maxSurge':3,'maxUnavailable':2}},");
    awaitComplete("web", 10);
    fixture.readyIf(pod -> false);
    image("web", "nginx:2");
    Eventually.assertEventually(
        () -> {
          assertThat(replicas(set("nginx:1"))).isEqualTo(8);
          assertThat(replicas(set("nginx:2"))).isEqualTo(5);
        });

    fixture.patch(DEPLOYMENTS, "web", "", "{'spec':{'replicas':15}}");

    // the example of the documentation: of 5 more, 3 and 2
    Eventually.assertEventually(
        () -> {
          assertThat(replicas(set("nginx:1"))).isEqualTo(11);
          assertThat(replicas(set("nginx:2"))).isEqualTo(7);
        });
  }

  @Test
  void pausedDeployment_isScaledButNotRolledOut() throws Exception {
    fixture.readyIf(pod -> true);
    ApiObject unused = create("web", 1, "");
    awaitComplete("web", 1);

    fixture.patch(DEPLOYMENTS, "web", "", "{'spec':{'paused':true}}");
    image("web", "nginx:2");
    fixture.patch(DEPLOYMENTS, "web", "", "{'spec':{'replicas':3}}");
    Eventually.assertEventually(
        () -> {
          assertThat(reasons(status("web")))
              .containsEntry("Progressing", "Unknown DeploymentPaused");
          assertThat(number(status("web"), "availableReplicas")).isEqualTo(3);
        });
    assertThat(fixture.list(SETS, "", "")).hasSize(1);
    assertThat(number(status("web"), "updatedReplicas")).isZero();
    fixture.patch(DEPLOYMENTS, "web", "", "{'spec':{'paused':false}}");

    awaitComplete("web", 3);
    assertThat(fixture.list(SETS, "", "")).hasSize(2);
  }

  @Test
  void recreatedDeployment_waitsForTheEndOfOldPods() throws Exception {
    fixture.readyIf(pod -> true);
    ApiObject unused = create("web", 2, "'strategy':{'type':'Recreate'},");
    awaitComplete("web", 2);
    String held = fixture.pods("web").getFirst().meta().name();
    fixture.patch(PODS, held, "", "{'metadata':{'finalizers':['example.com/hold']}}");

    image("web", "nginx:2");
    Eventually.assertEventually(
        () ->
            assertThat(fixture.pods("web"))
                .singleElement()
                .satisfies(pod -> assertThat(pod.meta().name()).isEqualTo(held)));
    assertThat(fixture.list(SETS, "", "")).hasSize(1);
    fixture.patch(PODS, held, "", "{'metadata':{'finalizers':null}}");

    awaitComplete("web", 2);
    assertThat(replicas(set("nginx:2"))).isEqualTo(2);
  }

  @Test
  void history_isLimitedAndFreeSetsAreAdopted() throws Exception {
    fixture.readyIf(pod -> true);
    ApiObject unused = create("web", 1, "'revisionHistoryLimit':1,");
    awaitComplete("web", 1);
    for (int i = 2; i <= 4; i++) {
      image("web", "nginx:" + i);
      awaitComplete("web", 1);
    }
    Eventually.assertEventually(() -> assertThat(fixture.list(SETS, "", "")).hasSize(2));
    assertThat(replicas(set("nginx:3"))).isZero();

    String name = set("nginx:3").meta().name();
    fixture.patch(SETS, name, "", "{'metadata':{'ownerReferences':null}}");

    Eventually.assertEventually(
        () ->
            assertThat(fixture.get(SETS, name).meta().node().maps("ownerReferences"))
                .singleElement()
                .satisfies(owner -> assertThat(owner.text("kind")).isEqualTo("Deployment")));
  }

  @Test
  void setOfAnotherOwnerWithTheName_isACollision() throws Exception {
    ApiObject first = create("web", 0, "");
    Eventually.assertEventually(() -> assertThat(fixture.list(SETS, "", "")).hasSize(1));
    ApiObject taken = set("nginx:1");
    fixture.user.delete(
        DEPLOYMENTS,
        "default",
        "web",
        new DeleteRequest(first.meta().uid(), "", Dependents.ORPHAN));
    Eventually.assertEventually(
        () ->
            assertThat(fixture.get(SETS, taken.meta().name()).meta().node().has("ownerReferences"))
                .isFalse());
    Eventually.assertEventually(
        () -> assertThat(fixture.list(DEPLOYMENTS, "", "")).as("orphans come first").isEmpty());
    fixture.patch(
        SETS,
        taken.meta().name(),
        "",
        "{'metadata':{'ownerReferences':[{'apiVersion':'apps/v1','kind':'Deployment',"
            + "'name':'other','uid':'11111111-1111-1111-1111-111111111111','controller':true}],"
            + "'finalizers':['example.com/hold']}}");

    ApiObject second = create("web", 0, "");

    Eventually.assertEventually(
        () -> {
          assertThat(number(status("web"), "collisionCount")).isEqualTo(1);
          assertThat(
                  fixture.list(SETS, "", "").stream()
                      .flatMap(set -> set.meta().node().maps("ownerReferences").stream())
                      .map(owner -> owner.text("uid")))
              .contains(second.meta().uid());
        });
    fixture.patch(SETS, taken.meta().name(), "", "{'metadata':{'finalizers':null}}");
  }
}
