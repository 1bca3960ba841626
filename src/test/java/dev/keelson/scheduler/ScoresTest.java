package dev.keelson.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.scheduler.device.DeviceNeeds;
import dev.keelson.testing.CustomTypes;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which of two nodes is better, where one has an advantage and the other another one. */
final class ScoresTest {

  private final Cluster cluster = new Cluster();
  private int pods;

  private static ApiObject object(String text) {
    return new ApiObject(CustomTypes.tree(text));
  }

  private void node(String name, String labels) {
    cluster.put(
        NodeView.of(
            object(
                "{'metadata':{'name':'%s','labels':{'kubernetes.io/hostname':'%s'%s}},'status':{'allocatable':{'cpu':'10','memory':'10Gi','pods':'110'}}}"
                    .formatted(name, name, labels))));
  }

  private PodView pod(String metadata, String spec) {
    String name = "p" + pods++;
    return PodView.of(
        object(
            "{'metadata':{'name':'%s','namespace':'default','uid':'%s','labels':{'app':'web'}%s},'spec':{%s}}"
                .formatted(name, name, metadata, spec)));
  }

  private void placed(String node, String metadata, String requests) {
    cluster.put(pod(metadata, "'nodeName':'" + node + "'," + requests(requests)));
  }

  private static String requests(String list) {
    return "'containers':[{'name':'c','resources':{'requests':{" + list + "}}}]";
  }

  private String best(PodView pod) {
    return Scores.best(
            pod,
            requireNonNull(pod.wants()),
            DeviceNeeds.NONE,
            cluster.rooms(),
            cluster,
            namespace -> Map.of(),
            0)
        .node()
        .name();
  }

  /** Otherwise pods without requests would all go to the nodes that others use evenly. */
  @Test
  void evenness_doesNotCountForPodsWithoutRequests() {
    node("uneven", "");
    node("even", "");
    placed("uneven", "", "'cpu':'4','memory':'0'");
    placed("even", "", "'cpu':'2500m','memory':'2560Mi'");

    assertThat(best(pod("", requests("")))).isEqualTo("uneven");
    assertThat(best(pod("", requests("'cpu':'1m','memory':'1Mi'")))).isEqualTo("even");
  }

  @Test
  void podsWithoutRequests_countALittle() {
    node("used", "");
    node("free", "");
    placed("used", "", "");

    assertThat(best(pod("", requests("")))).isEqualTo("free");
  }

  /** Of two nodes that are preferred nearly as much the one with more room is better. */
  @Test
  void preference_countsByItsShareOfTheHighest() {
    node("most", ",'a':'','b':''");
    node("less", ",'b':''");
    placed("most", "", "'cpu':'4','memory':'4Gi'");
    String preferred =
        "'affinity':{'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':["
            + "{'weight':%d,'preference':{'matchExpressions':[{'key':'a','operator':'Exists'}]}},"
            + "{'weight':90,'preference':{'matchExpressions':[{'key':'b','operator':'Exists'}]}}]}},";

    assertThat(best(pod("", preferred.formatted(10) + requests("")))).isEqualTo("less");
    assertThat(best(pod("", preferred.formatted(100) + requests("")))).isEqualTo("most");
  }

  private static String owner(String kind) {
    return ",'ownerReferences':[{'controller':true,'kind':'" + kind + "','uid':'o'}]";
  }

  /** One pod of many more or less matters less than the room. */
  @Test
  void siblings_countByTheirShareOfTheMost() {
    node("more", "");
    node("fewer", "");
    for (int i = 0; i < 9; i++) {
      placed(i % 2 == 0 ? "more" : "fewer", owner("ReplicaSet"), "'cpu':'0','memory':'0'");
    }
    placed("fewer", "", "'cpu':'4','memory':'4Gi'");

    assertThat(best(pod(owner("ReplicaSet"), requests("")))).isEqualTo("more");
  }

  @Test
  void podsOfJobs_areNotSpread() {
    node("used", "");
    node("free", "");
    placed("used", owner("Job"), "'cpu':'0','memory':'0'");
    placed("free", "", "'cpu':'100m','memory':'100Mi'");

    assertThat(best(pod(owner("Job"), requests("")))).isEqualTo("used");
    placed("used", owner("ReplicaSet"), "'cpu':'0','memory':'0'");
    assertThat(best(pod(owner("ReplicaSet"), requests("")))).isEqualTo("free");
  }

  @Test
  void softSpread_ignoresNodesWithoutTheLabel() {
    node("a", ",'rack':'a'");
    node("b", ",'rack':'b'");
    node("none", "");
    placed("a", "", "'cpu':'0','memory':'0'");
    placed("b", "", "'cpu':'2','memory':'2Gi'");
    placed("b", "", "'cpu':'0','memory':'0'");

    assertThat(
            best(
                pod(
                    "",
                    "'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'rack','whenUnsatisfiable':'ScheduleAnyway',"
                        + "'labelSelector':{'matchLabels':{'app':'web'}}}],"
                        + requests(""))))
        .isEqualTo("a");
  }
}
