package dev.keelson.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.scheduler.Cluster.Nominations;
import dev.keelson.testing.CustomTypes;
import dev.keelson.value.Uid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which nodes are looked at. */
final class NodeSearchTest {

  private final Cluster cluster = new Cluster();
  private final Nominations nominations = cluster.nominations();
  private final NodeSearch search = new NodeSearch(cluster, namespace -> Map.of());
  private int pods;

  private void nodes(int count, String cpu) {
    for (int i = 0; i < count; i++) {
      cluster.put(
          NodeView.of(
              object(
                  "{'metadata':{'name':'n%d'},'status':{'allocatable':{'cpu':'%s','memory':'8Gi','pods':'110'}}}"
                      .formatted(i, cpu))));
    }
  }

  private static ApiObject object(String text) {
    return new ApiObject(CustomTypes.tree(text));
  }

  private PodView pod(String cpu, String owner, String status) {
    String name = "p" + pods++;
    return PodView.of(
        object(
            ("{'metadata':{'name':'%1$s','namespace':'default','uid':'%1$s','ownerReferences':[{'controller':true,'kind':'ReplicaSet',"
                    + "'uid':'%3$s'}]},'spec':{'containers':[{'resources':{'requests':{'cpu':'%2$s'}}}]},"
                    + "'status':{%4$s}}")
                .formatted(name, cpu, owner, status)));
  }

  private @Nullable Room find(PodView pod, Refusal refusal) {
    return search.find(pod, requireNonNull(pod.wants()), Needs.NONE, refusal);
  }

  private String place(PodView pod) {
    Room room = requireNonNull(find(pod, new Refusal(cluster.rooms().size())));
    cluster.put(pod.on(room.node().name()));
    return room.node().name();
  }

  /** The numbers are those of kube-scheduler's {@code numFeasibleNodesToFind}. */
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "10, 10",
    "99, 99",
    "100, 100",
    "200, 100",
    "1000, 420",
    "5000, 500",
    "6000, 300",
    "20000, 1000"
  })
  void enoughNodes_areAdaptive(int nodes, int enough) {
    assertThat(NodeSearch.enough(nodes)).isEqualTo(enough);
  }

  @Test
  void search_beginsBehindTheLastOne() {
    nodes(200, "8");
    Set<String> first = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      first.add(place(pod("1", "", "")));
      // the nodes of every other search
      search(pod("1", "", ""));
    }

    assertThat(first).hasSize(100).allMatch(name -> Integer.parseInt(name.substring(1)) < 100);
    assertThat(first).contains("n0", "n99");
  }

  private void search(PodView pod) {
    assertThat(find(pod, new Refusal(200))).isNotNull();
  }

  @Test
  void nodesThatDoNotFit_areSkipped() {
    nodes(300, "1");
    cluster.put(
        NodeView.of(
            object(
                "{'metadata':{'name':'n250'},'status':{'allocatable':{'cpu':'8','memory':'8Gi','pods':'110'}}}")));

    assertThat(place(pod("4", "", ""))).isEqualTo("n250");
  }

  @Test
  void podThatFitsNowhere_isRefusedByAllNodes() {
    nodes(300, "1");
    Refusal refusal = new Refusal(300);

    assertThat(find(pod("4", "", ""), refusal)).isNull();

    assertThat(refusal.message(false, "", "")).contains("300 Insufficient cpu");
  }

  @Test
  void nominatedNode_isTakenFirst() {
    nodes(300, "8");

    assertThat(place(pod("4", "", "'nominatedNodeName':'n299'"))).isEqualTo("n299");
    assertThat(place(pod("5", "", "'nominatedNodeName':'n299'"))).isNotEqualTo("n299");
    assertThat(place(pod("5", "", "'nominatedNodeName':'gone'"))).isNotEqualTo("gone");
  }

  private PodView important(String cpu, int priority, String status) {
    String name = "i" + pods++;
    return PodView.of(
        object(
            ("{'metadata':{'name':'%1$s','namespace':'default','uid':'%1$s'},'spec':{'priority':%2$d,"
                    + "'containers':[{'resources':{'requests':{'cpu':'%3$s'}}}]},'status':{%4$s}}")
                .formatted(name, priority, cpu, status)));
  }

  /** Else a pod whose place was taken to make room would come back to it at once. */
  @Test
  void roomThatIsMadeForAPod_isKeptFromLessImportantOnes() {
    nodes(2, "1");
    PodView waiting = important("600m", 10, "'nominatedNodeName':'n1'");
    nominations.put(waiting, "n1");

    assertThat(place(important("600m", 5, ""))).isEqualTo("n0");
    Refusal refusal = new Refusal(2);
    assertThat(find(important("600m", 5, ""), refusal)).isNull();
    assertThat(refusal.message(false, "", "")).contains("2 Insufficient cpu");
    assertThat(find(important("600m", 10, ""), new Refusal(2))).isNull();
    assertThat(place(important("300m", 5, ""))).isEqualTo("n1");
    assertThat(requireNonNull(find(important("600m", 11, ""), new Refusal(2))).node().name())
        .isEqualTo("n1");
    assertThat(place(waiting)).isEqualTo("n1");
  }

  @Test
  void roomOfAPod_isItsOwnUntilItIsPlacedOrOutdone() {
    nodes(1, "1");
    PodView waiting = important("600m", 10, "");
    nominations.put(waiting, "n0");
    assertThat(nominations.before(waiting)).isEmpty();
    assertThat(nominations.removeBelow(important("600m", 10, ""), "n0")).isEmpty();
    assertThat(nominations.removeBelow(important("600m", 11, ""), "n1")).isEmpty();

    assertThat(nominations.removeBelow(important("600m", 11, ""), "n0"))
        .extracting(PodView::id)
        .containsExactly(waiting.id());

    cluster.put(waiting.on("n0"));
    nominations.put(waiting, "n0");
    assertThat(nominations.before(important("1", 0, ""))).isEmpty();
  }

  @Test
  void podsOfAController_areOnDifferentNodes() {
    nodes(10, "8");
    List<String> chosen = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      chosen.add(place(pod("100m", "set", "")));
    }

    assertThat(chosen).doesNotHaveDuplicates();
    assertThat(cluster.owned(Uid.of("set"))).hasSize(10).containsValue(1);
  }

  @Test
  void deletedPods_doNotCountForTheirController() {
    nodes(2, "8");
    PodView pod = pod("100m", "set", "");
    cluster.put(pod.on("n0"));
    cluster.put(pod.on("n1"));
    assertThat(cluster.owned(Uid.of("set"))).containsExactly(Map.entry("n1", 1));

    cluster.remove(pod.id());

    assertThat(cluster.owned(Uid.of("set"))).isEmpty();
  }

  @Test
  void zones_areThoseOfTheNodes() {
    nodes(2, "8");
    assertThat(cluster.isZoned()).isFalse();
    NodeView zoned =
        NodeView.of(
            object("{'metadata':{'name':'n0','labels':{'topology.kubernetes.io/zone':'a'}}}"));

    cluster.put(zoned);
    assertThat(cluster.isZoned()).isTrue();

    cluster.removeNode("n1");
    assertThat(cluster.isZoned()).isFalse();
    assertThat(cluster.rooms()).hasSize(1);
  }

  private PodView forNodes(String terms) {
    return PodView.of(
        object(
            ("{'metadata':{'name':'d','namespace':'default','uid':'d'},'spec':{'containers':[{'resources':{'requests':"
                    + "{'cpu':'4'}}}],'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':"
                    + "{'nodeSelectorTerms':[%s]}}}}}")
                .formatted(terms)));
  }

  private static String named(String names) {
    return "{'matchFields':[{'key':'metadata.name','operator':'In','values':[" + names + "]}]}";
  }

  /** As the pods of DaemonSets do; the words are those of kube-scheduler. */
  @Test
  void nodesThatAPodDoesNotName_areNotLookedAt() {
    nodes(3, "1");
    Refusal refusal = new Refusal(3);

    assertThat(find(forNodes(named("'n1','gone'")), refusal)).isNull();

    assertThat(refusal.message(false, "", "no new claims to deallocate"))
        .isEqualTo(
            "0/3 nodes are available: 1 Insufficient cpu, 2 node(s) didn't satisfy plugin(s)"
                + " [NodeAffinity]. no new claims to deallocate, preemption: 0/3 nodes are"
                + " available: 3 Preemption is not helpful for scheduling.");
  }

  @Test
  void namesThatContradictEachOther_areNamesOfNoNode() {
    assertThat(wants(named("'n1'") + "," + named("'n2'")).contradiction()).isEmpty();
    assertThat(
            wants(
                    "{'matchFields':[{'key':'metadata.name','operator':'In','values':['n1']},"
                        + "{'key':'metadata.name','operator':'In','values':['n2']}]}")
                .contradiction())
        .isEqualTo("pod affinity terms conflict");
    assertThat(
            wants(named("'n1'") + ",{'matchExpressions':[{'key':'a','operator':'Exists'}]}")
                .required()
                .names())
        .isNull();
  }

  private Wants wants(String terms) {
    return requireNonNull(forNodes(terms).wants());
  }
}
