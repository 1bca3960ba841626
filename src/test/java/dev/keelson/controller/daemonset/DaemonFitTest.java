package dev.keelson.controller.daemonset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.object.Node.MapNode;
import dev.keelson.testing.CustomTypes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cases of {@code AddOrUpdateDaemonPodTolerations}. */
final class DaemonFitTest {

  private static List<MapNode> tolerations(String spec) {
    return DaemonFit.withTolerations(CustomTypes.tree("{" + spec + "}")).maps("tolerations");
  }

  @Test
  void podsTolerate_whatNodesWithProblemsHave() {
    assertThat(tolerations(""))
        .extracting(toleration -> toleration.text("key"))
        .containsExactly(
            "node.kubernetes.io/not-ready",
            "node.kubernetes.io/unreachable",
            "node.kubernetes.io/disk-pressure",
            "node.kubernetes.io/memory-pressure",
            "node.kubernetes.io/pid-pressure",
            "node.kubernetes.io/unschedulable");
    assertThat(tolerations("'hostNetwork':true"))
        .extracting(toleration -> toleration.text("key"))
        .endsWith("node.kubernetes.io/network-unavailable");
  }

  @Test
  void tolerationForATime_isReplacedByOneForEver() {
    List<MapNode> tolerations =
        tolerations(
            "'tolerations':[{'key':'a','operator':'Exists'},{'key':'node.kubernetes.io/not-ready',"
                + "'operator':'Exists','effect':'NoExecute','tolerationSeconds':300}]");

    assertThat(tolerations).hasSize(7);
    assertThat(tolerations.get(1))
        .isEqualTo(
            CustomTypes.tree(
                "{'key':'node.kubernetes.io/not-ready','operator':'Exists',"
                    + "'effect':'NoExecute'}"));
  }
}
