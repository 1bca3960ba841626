package dev.keelson.server;

import static dev.keelson.server.WorkloadFixture.DAEMON_SETS;
import static dev.keelson.server.WorkloadFixture.EVENTS;
import static dev.keelson.server.WorkloadFixture.NODES;
import static dev.keelson.server.WorkloadFixture.PODS;
import static dev.keelson.server.WorkloadFixture.number;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.workload.RevisionFacts;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.testing.CustomTypes;
import dev.keelson.testing.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The DaemonSet controller on a server. */
@Timeout(120)
class DaemonSetOnServerTest {

  private WorkloadFixture fixture;

  @BeforeEach
  void start(@TempDir Path directory) throws Exception {
    fixture = new WorkloadFixture(directory);
  }

  @AfterEach
  void stop() throws Exception {
    fixture.close();
  }

  /** Creates a node; a new one has the taint of one that is not ready. */
  private void node(String name, String labels, String taints) throws InterruptedException {
    ApiObject unused =
        fixture.create(
            NODES, "Node", "{'metadata':{'name':'%s','labels':{%s}}}".formatted(name, labels));
    patchNode(name, "{'spec':{'taints':%s}}".formatted(taints));
  }

  private void patchNode(String name, String patch) throws InterruptedException {
    Written unused = fixture.user.patch(NODES, "", name, "", Patch.MERGE, CustomTypes.tree(patch));
  }

  private ApiObject create(String spec, String podSpec) throws InterruptedException {
    return fixture.create(
        DAEMON_SETS,
        "DaemonSet",
        "{'metadata':{'name':'agent','namespace':'default'},'spec':{"
            + spec
            + "'selector':{'matchLabels':{'app':'agent'}},'template':{'metadata':{'labels':{"
            + "'app':'agent'}},'spec':{"
            + podSpec
            + "'containers':[{'name':'main','image':'v:1'}]}}}}");
  }

  private void image(String image) throws InterruptedException {
    fixture.patch(
        DAEMON_SETS,
        "agent",
        "",
        "{'spec':{'template':{'spec':{'containers':[{'name':'main','image':'%s'}]}}}}"
            .formatted(image));
  }

  private MapNode status() {
    return fixture.status(DAEMON_SETS, "agent");
  }

  private static String node(ApiObject pod) {
    return pod.root()
        .map("spec")
        .map("affinity")
        .map("nodeAffinity")
        .map("requiredDuringSchedulingIgnoredDuringExecution")
        .maps("nodeSelectorTerms")
        .getFirst()
        .maps("matchFields")
        .getFirst()
        .items("values")
        .getFirst()
        .toString();
  }

  /** The nodes and images of the pods. */
  private List<String> placed() {
    return fixture.pods("agent").stream()
        .map(
            pod ->
                node(pod)
                    + " "
                    + pod.root().map("spec").maps("containers").getFirst().text("image"))
        .map(text -> text.replaceAll(".*(node-\\w+)\\W+.*(v:\\d)", "$1 $2"))
        .sorted()
        .toList();
  }

  private void awaitPlaced(String... placed) {
    Eventually.assertEventually(() -> assertThat(placed()).containsExactly(placed));
  }

  private void awaitAvailable(int count) {
    Eventually.assertEventually(
        () -> {
          assertThat(number(status(), "numberAvailable")).isEqualTo(count);
          assertThat(number(status(), "numberReady")).isEqualTo(count);
          assertThat(number(status(), "desiredNumberScheduled")).isEqualTo(count);
          assertThat(number(status(), "currentNumberScheduled")).isEqualTo(count);
        });
  }

  private void makeReady(String image) throws InterruptedException {
    for (ApiObject pod : fixture.pods("agent")) {
      if (pod.root().map("spec").maps("containers").getFirst().text("image").equals(image)) {
        fixture.makeReady(pod.meta().name());
      }
    }
  }

  /** A case of {@code dedupCurHistories} in Kubernetes' {@code update_test.go}. */
  @Test
  void revisionsOfOneTemplate_becomeOne_withoutNewPods() throws Exception {
    node("node-a", "", "null");
    ApiObject set = create("", "");
    awaitPlaced("node-a v:1");
    ApiObject pod = fixture.pods("agent").getFirst();
    ApiObject first = fixture.list(RevisionFacts.RESOURCE, "app=agent", "").getFirst();
    assertThat(first.meta().labels()).containsKey("controller-revision-hash");
    ApiObject second =
        fixture
            .user
            .create(
                RevisionFacts.RESOURCE,
                new ApiObject(
                        CustomTypes.tree(
                                ("{'metadata':{'name':'agent-second','namespace':'default',"
                                        + "'labels':{'app':'agent','controller-revision-hash':"
                                        + "'second'},'ownerReferences':[{'apiVersion':'apps/v1',"
                                        + "'kind':'DaemonSet','name':'agent','uid':'%s',"
                                        + "'controller':true}]},'revision':2}")
                                    .formatted(set.meta().uid()))
                            .with("data", first.root().map("data")))
                    .withType("apps/v1", "ControllerRevision"))
            .object();

    fixture.patch(DAEMON_SETS, "agent", "", "{'metadata':{'annotations':{'look':'again'}}}");

    Eventually.assertEventually(
        () -> {
          assertThat(fixture.list(RevisionFacts.RESOURCE, "app=agent", ""))
              .extracting(revision -> revision.meta().name())
              .containsExactly(second.meta().name());
          ApiObject same = fixture.get(PODS, pod.meta().name());
          assertThat(same.meta().uid()).isEqualTo(pod.meta().uid());
          assertThat(same.meta().labels()).containsEntry("controller-revision-hash", "second");
        });
  }

  /** kubectl rolls back nothing if the bytes are those of the patch that it makes of the set. */
  @Test
  void revision_hasTheBytesThatKubectlComparesWith() throws Exception {
    ApiObject unused = create("", "'nodeSelector':{'disk':'ssd'},");

    Eventually.assertEventually(
        () ->
            assertThat(fixture.list(RevisionFacts.RESOURCE, "app=agent", ""))
                .extracting(
                    revision ->
                        new String(
                            ObjectWriter.json(revision.root().map("data")), StandardCharsets.UTF_8))
                .containsExactly(
                    """
                    {"spec":{"template":{"$patch":"replace",\
                    "metadata":{"labels":{"app":"agent"}},\
                    "spec":{"containers":[{"image":"v:1","imagePullPolicy":"IfNotPresent",\
                    "name":"main","resources":{},"terminationMessagePath":"/dev/termination-log",\
                    "terminationMessagePolicy":"File"}],"dnsPolicy":"ClusterFirst",\
                    "nodeSelector":{"disk":"ssd"},"restartPolicy":"Always",\
                    "schedulerName":"default-scheduler","securityContext":{},\
                    "terminationGracePeriodSeconds":30}}}}\
                    """));
  }

  @Test
  void suitableNodes_getOnePodEach() throws Exception {
    node("node-a", "'disk':'ssd'", "null");
    node("node-b", "", "null");
    node("node-c", "'disk':'ssd'", "[{'key':'private','effect':'NoSchedule'}]");
    ApiObject set = create("", "'nodeSelector':{'disk':'ssd'},");
    awaitPlaced("node-a v:1");

    ApiObject pod = fixture.pods("agent").getFirst();
    assertThat(pod.meta().labels()).containsKeys("controller-revision-hash");
    assertThat(pod.meta().node().maps("ownerReferences").getFirst().text("uid"))
        .isEqualTo(set.meta().uid());
    assertThat(pod.root().map("spec").maps("tolerations"))
        .extracting(toleration -> toleration.text("key") + " " + toleration.text("effect"))
        .contains(
            "node.kubernetes.io/not-ready NoExecute",
            "node.kubernetes.io/unreachable NoExecute",
            "node.kubernetes.io/disk-pressure NoSchedule",
            "node.kubernetes.io/memory-pressure NoSchedule",
            "node.kubernetes.io/pid-pressure NoSchedule",
            "node.kubernetes.io/unschedulable NoSchedule");
    Eventually.assertEventually(
        () -> {
          assertThat(number(status(), "desiredNumberScheduled")).isEqualTo(1);
          assertThat(number(status(), "currentNumberScheduled")).isEqualTo(1);
          assertThat(number(status(), "updatedNumberScheduled")).isEqualTo(1);
          assertThat(number(status(), "numberUnavailable")).isEqualTo(1);
          assertThat(number(status(), "observedGeneration")).isEqualTo(1);
        });
    makeReady("v:1");
    awaitAvailable(1);

    patchNode("node-c", "{'spec':{'taints':null}}");
    awaitPlaced("node-a v:1", "node-c v:1");
    patchNode("node-b", "{'metadata':{'labels':{'disk':'ssd'}}}");
    awaitPlaced("node-a v:1", "node-b v:1", "node-c v:1");
    patchNode("node-a", "{'metadata':{'labels':{'disk':'hdd'}}}");
    awaitPlaced("node-b v:1", "node-c v:1");
    patchNode("node-b", "{'spec':{'taints':[{'key':'private','effect':'NoSchedule'}]}}");
    Eventually.assertEventually(
        () -> {
          assertThat(number(status(), "numberMisscheduled")).isEqualTo(1);
          assertThat(number(status(), "desiredNumberScheduled")).isEqualTo(1);
        });
    patchNode("node-b", "{'spec':{'taints':[{'key':'private','effect':'NoExecute'}]}}");
    awaitPlaced("node-c v:1");
  }

  @Test
  void rollingUpdate_replacesOneNodeAfterAnother() throws Exception {
    node("node-a", "", "null");
    node("node-b", "", "null");
    fixture.readyIf(pod -> true);
    ApiObject unused = create("", "");
    awaitAvailable(2);
    fixture.readyIf(pod -> false);

    image("v:2");

    Eventually.assertEventually(
        () -> {
          assertThat(Stream.of("v:1", "v:2").map(this::count)).containsExactly(1L, 1L);
          assertThat(number(status(), "updatedNumberScheduled")).isEqualTo(1);
          assertThat(number(status(), "numberUnavailable")).isEqualTo(1);
        });
    makeReady("v:2");
    awaitPlaced("node-a v:2", "node-b v:2");
    makeReady("v:2");
    awaitAvailable(2);

    fixture.readyIf(pod -> true);
    image("v:1");
    awaitPlaced("node-a v:1", "node-b v:1");
    Eventually.assertEventually(
        () ->
            assertThat(fixture.list(RevisionFacts.RESOURCE, "app=agent", ""))
                .hasSize(2)
                .anyMatch(revision -> number(revision.root(), "revision") == 3));
  }

  private long count(String image) {
    return placed().stream().filter(text -> text.endsWith(image)).count();
  }

  @Test
  void surgingUpdate_keepsOldPodsUntilNewOnesAreAvailable() throws Exception {
    node("node-a", "", "null");
    fixture.readyIf(pod -> true);
    ApiObject unused =
        create(
            "'updateStrategy':{'type':'RollingUpdate','rollingUpdate':{'maxSurge':1,"
                + "'maxUnavailable':0}},",
            "");
    awaitAvailable(1);
    fixture.readyIf(pod -> false);

    image("v:2");
    awaitPlaced("node-a v:1", "node-a v:2");
    makeReady("v:2");
    awaitPlaced("node-a v:2");
  }

  @Test
  void onDelete_updatesNothingItself() throws Exception {
    node("node-a", "", "null");
    ApiObject unused = create("'updateStrategy':{'type':'OnDelete'},", "");
    awaitPlaced("node-a v:1");

    image("v:2");

    Eventually.assertEventually(
        () -> {
          assertThat(number(status(), "observedGeneration")).isEqualTo(2);
          assertThat(number(status(), "updatedNumberScheduled")).isZero();
        });
    assertThat(placed()).containsExactly("node-a v:1");
  }

  @Test
  void failedPod_isReplaced() throws Exception {
    node("node-a", "", "null");
    ApiObject unused = create("", "");
    awaitPlaced("node-a v:1");
    String name = fixture.pods("agent").getFirst().meta().name();

    fixture.patch(PODS, name, "status", "{'status':{'phase':'Failed'}}");

    Eventually.assertEventually(
        () -> {
          assertThat(fixture.pods("agent"))
              .singleElement()
              .satisfies(pod -> assertThat(pod.meta().name()).isNotEqualTo(name));
          assertThat(fixture.list(EVENTS, "", "reason=FailedDaemonPod"))
              .anySatisfy(
                  event ->
                      assertThat(event.root().text("message"))
                          .isEqualTo(
                              "Found failed daemon pod default/"
                                  + name
                                  + " on node node-a, will try to kill it"));
        });
  }
}
