package dev.keelson.server;

import static dev.keelson.server.WorkloadFixture.EVENTS;
import static dev.keelson.server.WorkloadFixture.PODS;
import static dev.keelson.server.WorkloadFixture.STATEFUL_SETS;
import static dev.keelson.server.WorkloadFixture.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.workload.ClaimFacts;
import dev.keelson.controller.workload.RevisionFacts;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.Eventually;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The StatefulSet controller on a server. */
@Timeout(120)
class StatefulSetOnServerTest {

  private static final String REVISION = "controller-revision-hash";

  private static final String CLAIMS =
      "'volumeClaimTemplates':[{'metadata':{'name':'data'},'spec':{'accessModes':["
          + "'ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}}],";

  private WorkloadFixture fixture;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    fixture = new WorkloadFixture(directory);
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  private ApiObject create(int replicas, String spec) throws InterruptedException {
    return fixture.create(
        STATEFUL_SETS,
        "StatefulSet",
        "{'metadata':{'name':'db','namespace':'default'},'spec':{'serviceName':'db','replicas':"
            + replicas
            + ","
            + spec
            + "'selector':{'matchLabels':{'app':'db'}},'template':{'metadata':{'labels':{"
            + "'app':'db'}},'spec':{'containers':[{'name':'main','image':'v:1'}]}}}}");
  }

  private void image(String image) throws InterruptedException {
    fixture.patch(
        STATEFUL_SETS,
        "db",
        "",
        "{'spec':{'template':{'spec':{'containers':[{'name':'main','image':'%s'}]}}}}"
            .formatted(image));
  }

  private MapNode status() {
    return fixture.status(STATEFUL_SETS, "db");
  }

  /** The images of the pods by their names. */
  private Map<String, String> images() {
    Map<String, String> images = new TreeMap<>();
    for (ApiObject pod : fixture.pods("db")) {
      images.put(
          pod.meta().name(), pod.root().map("spec").maps("containers").getFirst().text("image"));
    }
    return images;
  }

  private void awaitPods(String... names) {
    Eventually.assertEventually(() -> assertThat(images()).containsOnlyKeys(names));
  }

  private void awaitReady(int replicas) {
    Eventually.assertEventually(
        () -> {
          assertThat(number(status(), "readyReplicas")).isEqualTo(replicas);
          assertThat(number(status(), "availableReplicas")).isEqualTo(replicas);
          assertThat(number(status(), "replicas")).isEqualTo(replicas);
        });
  }

  private void awaitEvent(String reason, String message) {
    Eventually.assertEventually(
        () ->
            assertThat(fixture.list(EVENTS, "", "reason=" + reason))
                .anySatisfy(
                    event -> {
                      assertThat(event.root().text("message")).isEqualTo(message);
                      assertThat(event.root().map("source").text("component"))
                          .isEqualTo("statefulset-controller");
                    }));
  }

  private List<String> claims() {
    return fixture.list(ClaimFacts.RESOURCE, "", "").stream()
        .map(claim -> claim.meta().name())
        .sorted()
        .toList();
  }

  @Test
  void orderedSet_createsEachPodWhenThoseBeforeAreReady() throws Exception {
    ApiObject set = create(2, "");
    awaitPods("db-0");
    ApiObject pod = fixture.get(PODS, "db-0");
    assertThat(pod.meta().labels())
        .containsEntry("statefulset.kubernetes.io/pod-name", "db-0")
        .containsEntry("apps.kubernetes.io/pod-index", "0")
        .containsKey(REVISION);
    assertThat(pod.meta().generateName()).isEqualTo("db-");
    assertThat(pod.root().map("spec").text("hostname")).isEqualTo("db-0");
    assertThat(pod.root().map("spec").text("subdomain")).isEqualTo("db");
    assertThat(pod.meta().node().maps("ownerReferences").getFirst().text("uid"))
        .isEqualTo(set.meta().uid());
    awaitEvent("SuccessfulCreate", "create Pod db-0 in StatefulSet db successful");
    Eventually.assertEventually(
        () -> {
          assertThat(number(status(), "replicas")).isEqualTo(1);
          assertThat(number(status(), "observedGeneration")).isEqualTo(1);
        });
    assertThat(fixture.pods("db")).hasSize(1);

    fixture.makeReady("db-0");
    awaitPods("db-0", "db-1");
    fixture.makeReady("db-1");
    awaitReady(2);

    assertThat(status().text("currentRevision"))
        .isEqualTo(status().text("updateRevision"))
        .isEqualTo(pod.meta().labels().get(REVISION));
    assertThat(number(status(), "currentReplicas")).isEqualTo(2);
    assertThat(number(status(), "updatedReplicas")).isEqualTo(2);
  }

  @Test
  void scaledDown_deletesTheHighestOrdinalsFirst() throws Exception {
    fixture.readyIf(pod -> true);
    ApiObject unused = create(3, "");
    awaitReady(3);

    fixture.patch(STATEFUL_SETS, "db", "", "{'spec':{'replicas':1}}");

    awaitPods("db-0");
    awaitReady(1);
    awaitEvent("SuccessfulDelete", "delete Pod db-2 in StatefulSet db successful");
  }

  @Test
  void parallelSet_createsAllPodsAtOnce() throws Exception {
    ApiObject unused = create(3, "'podManagementPolicy':'Parallel','ordinals':{'start':5},");

    awaitPods("db-5", "db-6", "db-7");
    fixture.patch(STATEFUL_SETS, "db", "", "{'spec':{'replicas':1}}");
    awaitPods("db-5");
  }

  @Test
  void rollingUpdate_goesDownToThePartitionAndBack() throws Exception {
    fixture.readyIf(pod -> true);
    ApiObject unused =
        create(3, "'updateStrategy':{'type':'RollingUpdate','rollingUpdate':{'partition':2}},");
    awaitReady(3);
    String first = status().text("currentRevision");

    image("v:2");
    Eventually.assertEventually(
        () -> {
          assertThat(images().values()).containsExactly("v:1", "v:1", "v:2");
          assertThat(number(status(), "updatedReplicas")).isEqualTo(1);
          assertThat(number(status(), "currentReplicas")).isEqualTo(2);
          assertThat(number(status(), "readyReplicas")).isEqualTo(3);
        });
    assertThat(status().text("currentRevision")).isEqualTo(first);
    assertThat(status().text("updateRevision")).isNotEqualTo(first);
    fixture.user.delete(PODS, "default", "db-1", new DeleteRequest("", "", Dependents.DEFAULT));
    Eventually.assertEventually(
        () -> assertThat(images().values()).containsExactly("v:1", "v:1", "v:2"));
    awaitReady(3);

    fixture.patch(
        STATEFUL_SETS, "db", "", "{'spec':{'updateStrategy':{'rollingUpdate':{'partition':0}}}}");
    Eventually.assertEventually(
        () -> {
          assertThat(images().values()).containsOnly("v:2");
          assertThat(status().text("currentRevision")).isEqualTo(status().text("updateRevision"));
          assertThat(number(status(), "currentReplicas")).isEqualTo(3);
        });

    image("v:1");
    Eventually.assertEventually(
        () -> {
          assertThat(images().values()).containsExactly("v:1", "v:1", "v:1");
          assertThat(status().text("currentRevision")).isEqualTo(first);
        });
    assertThat(fixture.list(RevisionFacts.RESOURCE, "app=db", ""))
        .hasSize(2)
        .anySatisfy(
            revision -> {
              assertThat(revision.meta().name()).isEqualTo(first);
              assertThat(number(revision.root(), "revision")).isEqualTo(3);
              assertThat(revision.root().map("data").map("spec").map("template").text("$patch"))
                  .isEqualTo("replace");
            });
  }

  /** The feature MaxUnavailableStatefulSet is off in 1.36, also for pods that start in parallel. */
  @Test
  void maxUnavailable_isDropped_andOnePodIsUpdatedAtATime() throws Exception {
    fixture.readyIf(pod -> true);
    ApiObject made =
        create(
            3,
            "'podManagementPolicy':'Parallel','updateStrategy':{'type':'RollingUpdate',"
                + "'rollingUpdate':{'maxUnavailable':2}},");
    assertThat(made.root().map("spec").map("updateStrategy").map("rollingUpdate").keys())
        .containsExactly("partition");
    awaitReady(3);
    fixture.readyIf(pod -> false);

    image("v:2");

    Eventually.assertEventually(
        () -> assertThat(images().values()).containsExactly("v:1", "v:1", "v:2"));
    fixture.makeReady("db-2");
    Eventually.assertEventually(
        () -> assertThat(images().values()).containsExactly("v:1", "v:2", "v:2"));
  }

  @Test
  void onDelete_updatesWhatIsDeleted() throws Exception {
    fixture.readyIf(pod -> true);
    ApiObject unused = create(2, "'updateStrategy':{'type':'OnDelete'},");
    awaitReady(2);
    String first = status().text("updateRevision");

    image("v:2");
    Eventually.assertEventually(
        () -> assertThat(status().text("updateRevision")).isNotEqualTo(first));
    assertThat(images().values()).containsExactly("v:1", "v:1");
    fixture.user.delete(PODS, "default", "db-0", new DeleteRequest("", "", Dependents.DEFAULT));

    Eventually.assertEventually(() -> assertThat(images().values()).containsExactly("v:2", "v:1"));
  }

  @Test
  void failedPod_isReplaced() throws Exception {
    ApiObject unused = create(1, "");
    awaitPods("db-0");
    String uid = fixture.get(PODS, "db-0").meta().uid();

    fixture.patch(PODS, "db-0", "status", "{'status':{'phase':'Failed'}}");

    Eventually.assertEventually(
        () ->
            assertThat(fixture.pods("db"))
                .singleElement()
                .satisfies(pod -> assertThat(pod.meta().uid()).isNotEqualTo(uid)));
  }

  @Test
  void claims_areMadeAndKeptByDefault() throws Exception {
    fixture.readyIf(pod -> true);
    ApiObject unused = create(2, CLAIMS);
    awaitReady(2);
    assertThat(claims()).containsExactly("data-db-0", "data-db-1");
    awaitEvent("SuccessfulCreate", "create Claim data-db-0 Pod db-0 in StatefulSet db success");
    assertThat(fixture.get(PODS, "db-1").root().map("spec").maps("volumes"))
        .anySatisfy(
            volume ->
                assertThat(volume.map("persistentVolumeClaim").text("claimName"))
                    .isEqualTo("data-db-1"));
    assertThat(fixture.get(ClaimFacts.RESOURCE, "data-db-0").meta().labels())
        .containsEntry("app", "db");

    fixture.patch(STATEFUL_SETS, "db", "", "{'spec':{'replicas':1}}");
    awaitPods("db-0");

    assertThat(claims()).containsExactly("data-db-0", "data-db-1");
    assertThat(fixture.get(ClaimFacts.RESOURCE, "data-db-1").meta().node().maps("ownerReferences"))
        .isEmpty();
  }

  @Test
  void retentionPolicy_deletesClaimsWithPodsAndSet() throws Exception {
    fixture.readyIf(pod -> true);
    ApiObject set =
        create(
            2,
            CLAIMS
                + "'persistentVolumeClaimRetentionPolicy':{'whenScaled':'Delete',"
                + "'whenDeleted':'Delete'},");
    awaitReady(2);
    Eventually.assertEventually(
        () ->
            assertThat(
                    fixture
                        .get(ClaimFacts.RESOURCE, "data-db-1")
                        .meta()
                        .node()
                        .maps("ownerReferences"))
                .singleElement()
                .satisfies(owner -> assertThat(owner.text("uid")).isEqualTo(set.meta().uid())));

    fixture.patch(STATEFUL_SETS, "db", "", "{'spec':{'replicas':1}}");
    Eventually.assertEventually(() -> assertThat(claims()).containsExactly("data-db-0"));
    fixture.user.delete(
        STATEFUL_SETS, "default", "db", new DeleteRequest("", "", Dependents.BACKGROUND));

    Eventually.assertEventually(() -> assertThat(claims()).isEmpty());
  }

  private void awaitEventOf(String reason, String begin) {
    Eventually.assertEventually(
        () ->
            assertThat(fixture.list(EVENTS, "", "reason=" + reason))
                .anyMatch(event -> event.root().text("message").startsWith(begin)));
  }

  /** Its volumes cannot be changed, so that somebody must delete it. */
  @Test
  void adoptedPodWithoutItsClaims_isTold_andItsClaimsAreMade() throws Exception {
    ApiObject unusedPod =
        fixture.create(
            PODS,
            "Pod",
            "{'metadata':{'name':'db-0','namespace':'default','labels':{'app':'db'}},'spec':{"
                + "'containers':[{'name':'main','image':'v:1'}]}}");
    fixture.makeReady("db-0");

    ApiObject unused = create(1, CLAIMS);

    awaitEventOf(
        "FailedUpdate",
        "update Pod db-0 in StatefulSet db failed error: Pod \"db-0\" is invalid: spec: Forbidden:"
            + " pod updates may not change fields other than");
    assertThat(claims()).containsExactly("data-db-0");
  }

  @Test
  void changedRetentionPolicy_isAnUpdateOfThePods() throws Exception {
    fixture.readyIf(pod -> true);
    ApiObject set = create(1, CLAIMS);
    awaitReady(1);

    fixture.patch(
        STATEFUL_SETS,
        "db",
        "",
        "{'spec':{'persistentVolumeClaimRetentionPolicy':{'whenDeleted':'Delete'}}}");

    awaitEvent("SuccessfulUpdate", "update Pod db-0 in StatefulSet db successful");
    assertThat(fixture.get(ClaimFacts.RESOURCE, "data-db-0").meta().node().maps("ownerReferences"))
        .singleElement()
        .satisfies(owner -> assertThat(owner.text("uid")).isEqualTo(set.meta().uid()));
  }

  /** Whether the controller may update claims. */
  private boolean mayUpdateClaims() {
    try {
      return fixture
              .create(
                  new GroupVersion("authorization.k8s.io", "v1").resource("subjectaccessreviews"),
                  "SubjectAccessReview",
                  "{'spec':{'user':'system:serviceaccount:kube-system:statefulset-controller',"
                      + "'resourceAttributes':{'verb':'update','namespace':'default',"
                      + "'resource':'persistentvolumeclaims'}}}")
              .root()
              .map("status")
              .get("allowed")
          == Node.Bool.TRUE;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void claimThatGetsNoOwner_isToldAsAFailedUpdateOfItsPod() throws Exception {
    GroupVersionResource roles =
        new GroupVersion("rbac.authorization.k8s.io", "v1").resource("clusterroles");
    ApiObject role =
        fixture.user.get(roles, "", "system:controller:statefulset-controller").orElseThrow();
    List<Node> rules = new ArrayList<>();
    for (MapNode rule : role.root().maps("rules")) {
      boolean ofClaims = rule.items("resources").contains(Node.text("persistentvolumeclaims"));
      rules.add(
          ofClaims
              ? rule.with("verbs", Node.texts(List.of("create", "get", "list", "watch")))
              : rule);
    }
    Written unused = fixture.user.update(roles, role.with("rules", new Node.Items(rules)));
    Eventually.assertEventually(() -> assertThat(mayUpdateClaims()).isFalse());

    ApiObject unused2 =
        create(1, CLAIMS + "'persistentVolumeClaimRetentionPolicy':{'whenDeleted':'Delete'},");

    Eventually.assertEventually(
        () ->
            assertThat(fixture.list(EVENTS, "", "reason=FailedUpdate"))
                .extracting(event -> event.root().text("message"))
                .anyMatch(
                    message ->
                        message.startsWith(
                            "update Pod db-0 in StatefulSet db failed error:"
                                + " persistentvolumeclaims \"data-db-0\" is forbidden")));
    assertThat(images()).containsOnlyKeys("db-0");
    assertThat(fixture.list(EVENTS, "", "reason=FailedCreate")).isEmpty();
  }

  @Test
  void claimOfAnotherController_isTold_andStaysSo() throws Exception {
    String other =
        fixture
            .create(
                GroupVersion.CORE_V1.resource("configmaps"),
                "ConfigMap",
                "{'metadata':{'name':'other','namespace':'default'}}")
            .meta()
            .uid();
    ApiObject unusedClaim =
        fixture.create(
            ClaimFacts.RESOURCE,
            "PersistentVolumeClaim",
            ("{'metadata':{'name':'data-db-0','namespace':'default','ownerReferences':[{"
                    + "'apiVersion':'v1','kind':'ConfigMap','name':'other','uid':'%s',"
                    + "'controller':true}]},'spec':{'accessModes':['ReadWriteOnce'],'resources':{"
                    + "'requests':{'storage':'1Gi'}}}}")
                .formatted(other));

    ApiObject unused =
        create(1, CLAIMS + "'persistentVolumeClaimRetentionPolicy':{'whenDeleted':'Delete'},");

    awaitEvent(
        "ConflictingController",
        "PersistentVolumeClaim data-db-0 has a conflicting OwnerReference that acts as a manging"
            + " controller, the retention policy is ignored for this claim");
    assertThat(fixture.get(ClaimFacts.RESOURCE, "data-db-0").meta().node().maps("ownerReferences"))
        .singleElement()
        .satisfies(owner -> assertThat(owner.text("uid")).isEqualTo(other));
  }
}
