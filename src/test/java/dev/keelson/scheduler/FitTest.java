package dev.keelson.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.ApiObject;
import dev.keelson.testing.CustomTypes;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three nodes in two zones: a1 and a2 in zone a, b1 in zone b. */
final class FitTest {

  private static final String ANTI =
      "'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"
          + "'topologyKey':'%s','labelSelector':{'matchLabels':{'app':'%s'}}}]}}";
  private static final String NEAR =
      "'affinity':{'podAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{"
          + "'topologyKey':'zone','labelSelector':{'matchLabels':{'app':'%s'}}}]}}";

  private final Cluster cluster = new Cluster();
  private int pods;

  @BeforeEach
  void nodes() {
    node("a1", "'zone':'a','disk':'ssd','rank':'5'", "");
    node("a2", "'zone':'a'", "'taints':[{'key':'dedicated','value':'db','effect':'NoSchedule'}]");
    node("b1", "'zone':'b'", "");
  }

  private void node(String name, String labels, String spec) {
    cluster.put(
        NodeView.of(
            object(
                "{'metadata':{'name':'%s','labels':{'host':'%s',%s}},'spec':{%s},'status':{"
                        .formatted(name, name, labels, spec)
                    + "'allocatable':{'cpu':'4','memory':'8Gi','pods':'3','example.com/gpu':'1'}}}")));
  }

  private static ApiObject object(String text) {
    return new ApiObject(CustomTypes.tree(text));
  }

  private PodView pod(String app, String spec) {
    String name = app + "-" + pods++;
    return PodView.of(
        object(
            "{'metadata':{'name':'%s','namespace':'default','uid':'%s','labels':{'app':'%s'}},'spec':{%s}}"
                .formatted(name, name, app, spec)));
  }

  private void placed(String app, String node, String spec) {
    cluster.put(pod(app, "'nodeName':'" + node + "'" + (spec.isEmpty() ? "" : "," + spec)));
  }

  /** The reasons of all three nodes; empty for those that the pod fits. */
  private String reasons(PodView pod) {
    Fit fit = new Fit(pod, requireNonNull(pod.wants()), Needs.NONE, cluster, namespace -> Map.of());
    return String.join(
        " | ",
        cluster.rooms().stream().map(room -> String.join("; ", fit.on(room).reasons())).toList());
  }

  private static final String TAINT = "node(s) had untolerated taint(s)";
  private static final String AFFINITY = "node(s) didn't match Pod's node affinity/selector";

  private static String requests(String list) {
    return "'containers':[{'name':'c','resources':{'requests':{" + list + "}}}]";
  }

  @Test
  void pod_withoutWishes_fitsNodesWithoutTaints() {
    assertThat(reasons(pod("web", ""))).isEqualTo(" | " + TAINT + " | ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "{'key':'dedicated','operator':'Equal','value':'db','effect':'NoSchedule'}; true",
        "{'key':'dedicated','value':'db'}; true",
        "{'key':'dedicated','operator':'Exists'}; true",
        "{'operator':'Exists'}; true",
        "{'key':'dedicated','value':'web'}; false",
        "{'key':'dedicated','operator':'Exists','effect':'NoExecute'}; false",
        "{'key':'other','operator':'Exists'}; false",
      })
  void toleration_decidesAboutTaints(String toleration, boolean fits) {
    assertThat(reasons(pod("web", "'tolerations':[" + toleration + "]")))
        .isEqualTo(fits ? " |  | " : " | " + TAINT + " | ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '"',
      value = {
        "{'key':'zone','operator':'In','values':['b']}; b1",
        "{'key':'disk','operator':'Exists'}; a1",
        "{'key':'disk','operator':'DoesNotExist'}; b1",
        "{'key':'zone','operator':'NotIn','values':['a']}; b1",
        "{'key':'rank','operator':'Gt','values':['4']}; a1",
        "{'key':'rank','operator':'Lt','values':['5']}; none",
      })
  void requiredNodeAffinity_selectsNodes(String expression, String node) {
    String spec =
        "'tolerations':[{'operator':'Exists'}],'affinity':{'nodeAffinity':{"
            + "'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[{"
            + "'matchExpressions':[{'key':'host','operator':'NotIn','values':['a2']},%s]}]}}}"
                .formatted(expression);

    assertThat(reasons(pod("web", spec)))
        .isEqualTo(
            (node.equals("a1") ? "" : AFFINITY)
                + " | "
                + AFFINITY
                + " | "
                + (node.equals("b1") ? "" : AFFINITY));
  }

  @Test
  void nodeSelector_andMatchFields_selectNodes() {
    assertThat(reasons(pod("web", "'nodeSelector':{'disk':'ssd'}")))
        .isEqualTo(" | " + TAINT + " | " + AFFINITY);
    assertThat(
            reasons(
                pod(
                    "web",
                    "'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{"
                        + "'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name',"
                        + "'operator':'In','values':['b1']}]}]}}}")))
        .isEqualTo(AFFINITY + " | " + TAINT + " | ");
  }

  @Test
  void resources_thatAreShort_areAllNamed() {
    placed("old", "a1", requests("'cpu':'3','memory':'7Gi'"));

    assertThat(reasons(pod("web", requests("'cpu':'2','memory':'2Gi'"))))
        .isEqualTo("Insufficient cpu; Insufficient memory | " + TAINT + " | ");
    assertThat(reasons(pod("web", requests("'example.com/gpu':'2'"))))
        .isEqualTo("Insufficient example.com/gpu | " + TAINT + " | Insufficient example.com/gpu");
  }

  @Test
  void fullNode_hasTooManyPods() {
    for (int i = 0; i < 3; i++) {
      placed("old", "b1", "");
    }

    assertThat(reasons(pod("web", ""))).isEqualTo(" | " + TAINT + " | Too many pods");
  }

  @Test
  void hostPort_isTakenOnceByAddress() {
    String port = "'containers':[{'name':'c','ports':[{'hostPort':80,'hostIP':'%s'}]}]";
    placed("old", "a1", port.formatted("10.0.0.1"));
    placed("old", "b1", port.formatted("10.0.0.2"));
    String taken = "node(s) didn't have free ports for the requested pod ports";

    assertThat(reasons(pod("web", port.formatted("10.0.0.1"))))
        .isEqualTo(taken + " | " + TAINT + " | ");
    assertThat(reasons(pod("web", port.formatted(""))))
        .isEqualTo(taken + " | " + TAINT + " | " + taken);
  }

  @Test
  void antiAffinity_keepsPodsApart_bothWays() {
    placed("web", "a1", "");
    placed("proud", "b1", ANTI.formatted("host", "web"));

    assertThat(reasons(pod("db", ANTI.formatted("zone", "web"))))
        .isEqualTo("node(s) didn't match pod anti-affinity rules | " + TAINT + " | ");
    assertThat(reasons(pod("web", "")))
        .isEqualTo(" | " + TAINT + " | node(s) didn't satisfy existing pods anti-affinity rules");
  }

  @Test
  void affinity_bringsPodsTogether_andLetsTheFirstBegin() {
    String missing = "node(s) didn't match pod affinity rules";
    assertThat(reasons(pod("web", NEAR.formatted("db"))))
        .isEqualTo(missing + " | " + TAINT + " | " + missing);
    assertThat(reasons(pod("web", NEAR.formatted("web")))).isEqualTo(" | " + TAINT + " | ");

    placed("db", "b1", "");

    assertThat(reasons(pod("web", NEAR.formatted("db"))))
        .isEqualTo(missing + " | " + TAINT + " | ");
  }

  @Test
  void spread_limitsTheDifferenceOfZones() {
    String spread =
        "'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'zone','whenUnsatisfiable':"
            + "'DoNotSchedule','labelSelector':{'matchLabels':{'app':'web'}}}]";
    placed("web", "a1", "");

    assertThat(reasons(pod("web", spread)))
        .isEqualTo("node(s) didn't match pod topology spread constraints | " + TAINT + " | ");
    assertThat(reasons(pod("other", spread))).isEqualTo(" | " + TAINT + " | ");
  }

  @Test
  void spread_overALabelThatIsMissing_isForGood() {
    String spread =
        "'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'disk','whenUnsatisfiable':"
            + "'DoNotSchedule','labelSelector':{'matchLabels':{'app':'web'}}}]";

    assertThat(reasons(pod("web", spread)))
        .isEqualTo(
            " | "
                + TAINT
                + " | node(s) didn't match pod topology spread constraints (missing required"
                + " label)");
  }

  @Test
  void cordonedNode_takesNoPods_withoutTheToleration() {
    node("b1", "'zone':'b'", "'unschedulable':true");

    assertThat(reasons(pod("web", ""))).isEqualTo(" | " + TAINT + " | node(s) were unschedulable");
    assertThat(reasons(pod("web", "'tolerations':[{'operator':'Exists'}]"))).isEqualTo(" |  | ");
  }

  @Test
  void podsOfANode_areKeptUntilItsStateIsKnown() {
    placed("old", "c1", requests("'cpu':'4'"));
    node("c1", "'zone':'c'", "");

    assertThat(reasons(pod("web", requests("'cpu':'1'"))))
        .isEqualTo(" | " + TAINT + " |  | Insufficient cpu");
  }

  @Test
  void disk_isNotSharedOnANode() {
    String disk = "'volumes':[{'name':'d','gcePersistentDisk':{'pdName':'d'}}]";
    placed("db", "a1", disk);

    assertThat(reasons(pod("web", disk)))
        .isEqualTo("node(s) had no available disk | " + TAINT + " | ");
  }
}
